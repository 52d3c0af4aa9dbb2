package dev.semel.bench.micro;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What it takes to get one message off the stream, checked, and one onto it. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class MessageBenchmark {
    /** A find by {@code _id}; an insert of one document; one of a hundred. */
    @Param({"find", "insert1", "insert100"})
    public String kind = "find";

    private Message message = Message.OpMsg.of(1, 0, RawDocument.EMPTY);
    private MessageReader reader = new MessageReader(InputStream.nullInputStream());
    private MessageWriter writer = new MessageWriter(OutputStream.nullOutputStream());

    @Setup
    public void prepare() {
        message = switch (kind) {
            case "insert1" -> insert(1);
            case "insert100" -> insert(100);
            default -> find();
        };
        reader = new MessageReader(new Repeating(MessageWriter.encode(message)));
        writer = new MessageWriter(OutputStream.nullOutputStream());
    }

    @Benchmark
    public Frame read() throws IOException {
        Frame frame = reader.read();
        if (frame == null) {
            throw new IllegalStateException("the stream never ends");
        }
        return frame;
    }

    @Benchmark
    public void write() throws IOException {
        writer.write(message, Compressor.NONE);
    }

    private static Message find() {
        RawDocument body = new BsonWriter()
                .put("find", "usertable")
                .startDocument("filter")
                .put("_id", "user4052466453699787802")
                .end()
                .put("limit", 1)
                .put("singleBatch", true)
                .put("lsid", new BsonWriter().put("id", "0123456789abcdef").finish())
                .put("$db", "ycsb")
                .finish();
        return Message.OpMsg.of(1, 0, body);
    }

    private static Message insert(int documents) {
        RawDocument body = new BsonWriter()
                .put("insert", "usertable")
                .put("ordered", true)
                .put("$db", "ycsb")
                .finish();
        List<RawDocument> content = new ArrayList<>();
        for (int i = 0; i < documents; i++) {
            content.add(record(i));
        }
        return new Message.OpMsg(1, 0, 0, body, List.of(new Message.Sequence("documents", content)));
    }

    private static RawDocument record(int number) {
        BsonWriter out = new BsonWriter().put("_id", "user" + number);
        for (int i = 0; i < 10; i++) {
            out.put("field" + i, "x".repeat(100));
        }
        return out.finish();
    }

    /** The same message for ever. */
    private static final class Repeating extends InputStream {
        private final byte[] bytes;
        private int at;

        Repeating(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            byte next = bytes[at];
            at = (at + 1) % bytes.length;
            return next & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            int count = Math.min(length, bytes.length - at);
            System.arraycopy(bytes, at, target, offset, count);
            at = (at + count) % bytes.length;
            return count;
        }
    }
}
