package dev.semel.server.plan;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.store.key.KeyWriter;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An order of documents. A document's place is that of the lowest key it would have in an index of this order, so that a
 * sort and a scan of such an index agree, arrays and missing values included.
 */
public final class SortSpec {
    public static final SortSpec NONE = new SortSpec(List.of(), RawDocument.EMPTY);
    private static final int FIELDS_MAX = 32;

    private final List<Field> fields;
    private final RawDocument document;
    private final IndexKeys keys;
    private final KeyWriter writer = new KeyWriter();

    /** One path and its direction. */
    record Field(DottedPath path, boolean ascending) {}

    private SortSpec(List<Field> fields, RawDocument document) {
        this.fields = fields;
        this.document = document;
        this.keys = new IndexKeys(fields.stream().map(Field::path).toList());
    }

    /** {@code {$natural: 1}} is no order of documents but a hint, and left to the caller. */
    public static SortSpec parse(RawDocument document) {
        if (document.isEmpty()) {
            return NONE;
        }
        List<Field> fields = new ArrayList<>();
        for (Element element : document) {
            String name = element.name();
            if (element.value() instanceof Value.Doc(RawDocument inner) && inner.has("$meta")) {
                throw new CommandException(ErrorCode.BadValue, "sort by '$meta' is not supported: '%s'", name);
            }
            if (name.startsWith("$") && !name.equals("$id") && !name.equals("$ref") && !name.equals("$db")) {
                throw new CommandException(
                        ErrorCode.location(16410),
                        "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
            }
            fields.add(new Field(DottedPath.ofField(name), isAscending(element)));
        }
        if (fields.size() > FIELDS_MAX) {
            throw new CommandException(ErrorCode.BadValue, "too many compound keys");
        }
        return new SortSpec(List.copyOf(fields), document.detached());
    }

    private static boolean isAscending(Element element) {
        double direction = switch (element.value()) {
            case Value.Int32(int value) -> value;
            case Value.Int64(long value) -> value;
            case Value.Double64(double value) -> value;
            case Value.Decimal(Decimal128 value) ->
                value.isFinite() ? value.toBigDecimal().doubleValue() : 0;
            default ->
                throw new CommandException(
                        ErrorCode.location(15974),
                        "Illegal key in $sort specification: %s: %s",
                        element.name(),
                        Shell.text(element.value()));
        };
        if (direction != 1 && direction != -1) {
            throw new CommandException(
                    ErrorCode.location(15975), "$sort key ordering must be 1 (for ascending) or -1 (for descending)");
        }
        return direction > 0;
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    List<Field> fields() {
        return fields;
    }

    public RawDocument document() {
        return document;
    }

    /** Bytes that sort as the documents do. For one thread at a time. */
    byte[] keyOf(RawDocument of) {
        List<@Nullable Value[]> all = extract(of);
        byte[] lowest = encode(all.getFirst());
        for (int i = 1; i < all.size(); i++) {
            byte[] next = encode(all.get(i));
            if (Arrays.compareUnsigned(next, lowest) < 0) {
                lowest = next;
            }
        }
        return lowest;
    }

    private List<@Nullable Value[]> extract(RawDocument of) {
        try {
            return keys.extract(of).keys();
        } catch (CommandException e) {
            if (e.code().equals(ErrorCode.CannotIndexParallelArrays)) {
                throw new CommandException(
                        ErrorCode.BadValue, "Executor error during find command :: caused by :: %s", e.text());
            }
            throw e;
        }
    }

    private byte[] encode(@Nullable Value[] values) {
        writer.truncate(0);
        for (int i = 0; i < values.length; i++) {
            Value value = values[i];
            writer.put(value == null ? Value.NULL : value, !fields.get(i).ascending());
        }
        return writer.toKey();
    }

    @Override
    public String toString() {
        return Shell.text(document);
    }
}
