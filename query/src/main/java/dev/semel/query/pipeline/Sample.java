package dev.semel.query.pipeline;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code $sample}: a number of random documents, each with the same probability, in random order. */
public record Sample(long size) implements Stage {
    private static final int ENTRY_BYTES = 64;

    static Stage parse(Value specification) {
        if (!(specification instanceof Value.Doc(RawDocument options))) {
            throw wrong(28745, "the $sample stage specification must be an object");
        }
        Long size = null;
        for (Element option : options) {
            if (!option.name().equals("size")) {
                throw wrong(28748, "unrecognized option to $sample: " + option.name());
            }
            if (!Numbers.isNumber(option.value())) {
                throw wrong(28746, "size argument to $sample must be a number");
            }
            size = Numbers.exactLong(option.value()).orElse((long) Numbers.doubleOf(option.value()));
            if (size <= 0) {
                throw wrong(28747, "size argument to $sample must be a positive integer");
            }
        }
        if (size == null) {
            throw wrong(28749, "$sample stage must specify a size");
        }
        return new Sample(size);
    }

    private static CommandException wrong(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }

    private record Drawn(double lot, long number, RawDocument document) {
        static final Comparator<Drawn> BY_LOT =
                Comparator.comparingDouble(Drawn::lot).thenComparingLong(Drawn::number);

        int bytes() {
            return document.length() + ENTRY_BYTES;
        }
    }

    /** The lot and the number, then the document. */
    private static final class Format implements SpillFormat<Drawn> {
        private static final int HEAD_BYTES = Double.BYTES + Long.BYTES;

        @Override
        public List<ByteBuffer> parts(Drawn drawn) {
            ByteBuffer head =
                    ByteBuffer.allocate(HEAD_BYTES).putDouble(drawn.lot()).putLong(drawn.number());
            RawDocument document = drawn.document();
            return List.of(head.flip(), ByteBuffer.wrap(document.array(), document.offset(), document.length()));
        }

        @Override
        public Drawn fromBytes(byte[] record) {
            ByteBuffer head = ByteBuffer.wrap(record);
            return new Drawn(head.getDouble(), head.getLong(), RawDocument.view(record, HEAD_BYTES));
        }
    }

    @Override
    public Source open(Source in, Execution execution) {
        Environment environment = execution.environment();
        // Those with the lowest lots.
        Sorter<Drawn> sorter = new Sorter<>(
                Drawn.BY_LOT,
                size,
                new Format(),
                Drawn::bytes,
                execution.spillingBudget("$sample"),
                environment::checkpoint);
        environment.opened(sorter);
        return new Source() {
            private boolean isRead;

            @Override
            public @Nullable RawDocument next() {
                if (!isRead) {
                    isRead = true;
                    for (RawDocument next = in.next(); next != null; next = in.next()) {
                        environment.checkpoint();
                        sorter.add(new Drawn(environment.random().nextDouble(), sorter.added(), next));
                    }
                }
                Drawn drawn = sorter.next();
                return drawn == null ? null : drawn.document();
            }

            @Override
            public void close() {
                in.close();
                isRead = true;
                environment.closed(sorter);
                sorter.close();
            }
        };
    }

    @Override
    public boolean collectFields(FieldSet into) {
        return false;
    }
}
