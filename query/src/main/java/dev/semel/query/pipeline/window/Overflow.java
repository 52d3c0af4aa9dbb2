package dev.semel.query.pipeline.window;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpillSpace;
import dev.semel.wire.spill.SpillWriter;
import dev.semel.wire.spill.SpilledRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive documents of a partition in files, but for the last few of them: the first ones are taken out while others are added
 * behind the last one, and whoever looks ahead reads any of them without taking it out.
 */
final class Overflow implements AutoCloseable {
    private static final long TAIL_BYTES_MAX = 64 << 10;

    /** Of what a stage may hold. */
    private static final int TAIL_SHARE = 16;

    /** Functions that look ahead go forward, each at its own pace; more than that share what reads for them. */
    private static final int READERS_MAX = 4;

    private final SpillSpace space;
    private final WindowMemory memory;

    /** The newest documents, which are asked for once more, stay in memory: twice that much before half of it goes to a file. */
    private final long tailBytesMax;

    /** In order; the last one is followed by what the writer has. */
    private final ArrayDeque<Run> runs = new ArrayDeque<>();

    private @Nullable SpillWriter writer;

    /** The first document that the writer has got. */
    private long writerFrom;

    /** Those from {@code written} on. */
    private final List<RawDocument> tail = new ArrayList<>();

    private long tailBytes;
    private long tailChargedBytes;
    private long written;

    /** The first one that has not been taken out. */
    private long begin;

    private final Reader first = new Reader();
    private @Nullable RawDocument head;
    private long headBytes;

    /** The one that was used last is at the end. */
    private final ArrayDeque<Reader> ahead = new ArrayDeque<>();

    /** @param end the number behind the last document */
    private record Run(SpilledRun file, long from, long end) {}

    Overflow(SpillSpace space, WindowMemory memory) {
        this.space = space;
        this.memory = memory;
        this.tailBytesMax = Math.min(TAIL_BYTES_MAX, memory.bytesMax() / TAIL_SHARE);
    }

    boolean isEmpty() {
        return begin == end();
    }

    private long end() {
        return written + tail.size();
    }

    /** @param number of the document; if there are others, the one behind the last of them */
    void add(RawDocument document, long number) {
        if (isEmpty()) {
            forgetFiles();
            tail.clear();
            tailBytes = 0;
            written = number;
            begin = number;
        }
        tail.add(document);
        tailBytes += document.length();
        if (tailBytes > 2 * tailBytesMax && tail.size() > 1) {
            writeTail();
        }
        chargeTail(Math.max(tailBytes, 2 * tailBytesMax));
    }

    /** There may be one document in it that is larger than it should be. */
    private void chargeTail(long bytes) {
        if (bytes > tailChargedBytes) {
            memory.charge(bytes - tailChargedBytes);
        } else {
            memory.release(tailChargedBytes - bytes);
        }
        tailChargedBytes = bytes;
    }

    /** All but the newest. */
    private void writeTail() {
        if (begin > written) {
            forgetFiles();
            dropFromTail(Math.toIntExact(begin - written));
        }
        int count = 0;
        long left = tailBytes;
        while (left > tailBytesMax && count < tail.size() - 1) {
            RawDocument document = tail.get(count++);
            left -= document.length();
            writer().add(document.array(), document.offset(), document.length());
        }
        dropFromTail(count);
    }

    private void dropFromTail(int count) {
        List<RawDocument> dropped = tail.subList(0, count);
        for (RawDocument each : dropped) {
            tailBytes -= each.length();
        }
        dropped.clear();
        written += count;
    }

    private SpillWriter writer() {
        SpillWriter out = writer;
        if (out == null) {
            memory.charge(SpillSpace.BUFFER_BYTES);
            out = space.write();
            writer = out;
            writerFrom = written;
        }
        return out;
    }

    /** The first one that has not been taken out; there is one. */
    RawDocument first() {
        if (begin >= written) {
            return tail.get((int) (begin - written));
        }
        RawDocument known = head;
        if (known == null) {
            known = first.read(begin);
            memory.charge(known.length());
            headBytes = known.length();
            head = known;
        }
        return known;
    }

    void removeFirst() {
        forgetHead();
        begin++;
        for (Run run = runs.peek(); run != null && run.end <= begin; run = runs.peek()) {
            for (Reader each : ahead) {
                each.leave(run);
            }
            first.leave(run);
            runs.remove().file.close();
        }
    }

    private void forgetHead() {
        head = null;
        memory.release(headBytes);
        headBytes = 0;
    }

    /** One of those that have not been taken out. */
    RawDocument get(long number) {
        return number >= written
                ? tail.get((int) (number - written))
                : reader(number).readAndCount(number);
    }

    /** The one that has come next to the document. */
    private Reader reader(long number) {
        Reader best = null;
        for (Reader each : ahead) {
            if (each.isOpen() && each.next <= number && (best == null || each.next > best.next)) {
                best = each;
            }
        }
        if (best == null) {
            best = ahead.size() < READERS_MAX ? new Reader() : ahead.getFirst();
        }
        ahead.remove(best);
        ahead.addLast(best);
        return best;
    }

    private Run run(long number) {
        SpillWriter out = writer;
        if (out != null && number >= writerFrom) {
            runs.add(new Run(out.finish(), writerFrom, written));
            writer = null;
            memory.release(SpillSpace.BUFFER_BYTES);
        }
        for (Run each : runs) {
            if (each.from <= number && number < each.end) {
                return each;
            }
        }
        throw new IllegalStateException("document " + number + " of the partition is in no file");
    }

    private final class Reader implements AutoCloseable {
        private @Nullable SpillReader in;
        private @Nullable Run of;

        /** Of the document that follows. */
        private long next;

        /** What has been counted of the document before it. */
        private long recordBytes;

        boolean isOpen() {
            return in != null;
        }

        /** If the reader has come further already, it begins anew. */
        RawDocument read(long number) {
            SpillReader from = in;
            if (from == null || of == null || number < next || number >= of.end) {
                close();
                Run run = run(number);
                memory.charge(SpillSpace.BUFFER_BYTES);
                from = run.file.read();
                in = from;
                of = run;
                next = run.from;
            }
            for (; next <= number; next++) {
                if (!from.next()) {
                    throw new IllegalStateException("a file of the partition ends before document " + next);
                }
            }
            return RawDocument.of(from.copy());
        }

        /** The reader holds what it has read last until it goes on. */
        RawDocument readAndCount(long number) {
            memory.release(recordBytes);
            recordBytes = 0;
            RawDocument found = read(number);
            memory.charge(found.length());
            recordBytes = found.length();
            return found;
        }

        void leave(Run run) {
            if (of == run) {
                close();
            }
        }

        @Override
        public void close() {
            SpillReader open = in;
            if (open != null) {
                open.close();
                in = null;
                of = null;
                memory.release(SpillSpace.BUFFER_BYTES + recordBytes);
                recordBytes = 0;
            }
        }
    }

    private void forgetFiles() {
        forgetHead();
        first.close();
        ahead.forEach(Reader::close);
        ahead.clear();
        SpillWriter out = writer;
        if (out != null) {
            out.close();
            writer = null;
            memory.release(SpillSpace.BUFFER_BYTES);
        }
        runs.forEach(each -> each.file.close());
        runs.clear();
    }

    @Override
    public void close() {
        forgetFiles();
        tail.clear();
        tailBytes = 0;
        written = 0;
        begin = 0;
        chargeTail(0);
    }
}
