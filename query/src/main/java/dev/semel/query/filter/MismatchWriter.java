package dev.semel.query.filter;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Collection;
import java.util.List;

/**
 * Writes an explanation with MongoDB's field names, and ends it with {@link ErrorCode#BSONObjectTooLarge} where it becomes
 * too long.
 */
final class MismatchWriter {
    private final BsonWriter out;
    private final int bytesMax;
    private final boolean brief;

    /** @param brief to leave out what is as long as the validator or the document */
    MismatchWriter(BsonWriter out, int bytesMax, boolean brief) {
        this.out = out;
        this.bytesMax = bytesMax;
        this.brief = brief;
    }

    /** An error as a document. */
    static RawDocument error(CommandException failure) {
        return new BsonWriter()
                .put("code", failure.code().number())
                .put("codeName", failure.code().codeName())
                .put("errmsg", failure.text())
                .finish();
    }

    // ---- structure

    MismatchWriter startDocument() {
        out.startDocument();
        return this;
    }

    MismatchWriter startDocument(String name) {
        out.startDocument(name);
        return this;
    }

    MismatchWriter startArray(String name) {
        out.startArray(name);
        return this;
    }

    MismatchWriter end() {
        out.end();
        return checked();
    }

    MismatchWriter put(String name, String text) {
        out.put(name, text);
        return checked();
    }

    MismatchWriter put(String name, int number) {
        out.put(name, number);
        return this;
    }

    MismatchWriter put(String name, long number) {
        out.put(name, number);
        return this;
    }

    MismatchWriter put(String name, RawDocument document) {
        out.put(name, document);
        return checked();
    }

    MismatchWriter put(String name, Value value) {
        requireRoom(value);
        out.put(name, value);
        return checked();
    }

    MismatchWriter add(Value value) {
        requireRoom(value);
        out.add(value);
        return checked();
    }

    MismatchWriter strings(String name, Collection<String> texts) {
        out.startArray(name);
        texts.forEach(out::add);
        return end();
    }

    // ---- fields that many explanations have

    MismatchWriter operator(String name) {
        return put("operatorName", name);
    }

    /** The operator with what its author wrote. */
    MismatchWriter operator(String name, RawDocument specification) {
        operator(name);
        return brief ? this : put("specifiedAs", new Value.Doc(specification));
    }

    MismatchWriter reason(String text) {
        return put("reason", text);
    }

    MismatchWriter consideredValue(Value value) {
        return brief ? this : put("consideredValue", value);
    }

    MismatchWriter consideredValues(ConsideredValues considered) {
        List<Value> values = considered.values();
        if (brief) {
            return this;
        }
        if (values.size() == 1) {
            consideredValue(values.getFirst());
        } else {
            startArray("consideredValues");
            values.forEach(this::add);
            end();
        }
        if (considered.isCut()) {
            out.put("consideredValuesTruncated", true);
        }
        return this;
    }

    /** Their names, in order and each once; nothing if there is none. */
    MismatchWriter types(String one, String several, Collection<BsonType> types) {
        List<String> names =
                types.stream().map(BsonType::alias).distinct().sorted().toList();
        return switch (names.size()) {
            case 0 -> this;
            case 1 -> put(one, names.getFirst());
            default -> strings(several, names);
        };
    }

    // ---- length

    /** So that what is too long need not be copied first. */
    private void requireRoom(Value value) {
        int length = switch (value) {
            case Value.Doc(RawDocument document) -> document.length();
            case Value.Array(RawDocument elements) -> elements.length();
            case Value.Binary(byte ignored, byte[] bytes) -> bytes.length;
            case Value.Str(var text) -> text.length();
            default -> 0;
        };
        check(out.length() + length);
    }

    private MismatchWriter checked() {
        check(out.length());
        return this;
    }

    private void check(int length) {
        if (length > bytesMax) {
            throw new CommandException(ErrorCode.BSONObjectTooLarge, "an explanation of %d bytes", length);
        }
    }
}
