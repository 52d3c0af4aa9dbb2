package dev.semel.query.update;

import dev.semel.query.value.ValueOrder;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The rules for {@code _id}: always there, first, of a type that can be a key, and never changed. */
public final class IdField {
    private static final byte[] NAME = "_id".getBytes(StandardCharsets.UTF_8);

    private IdField() {}

    /** Whether a document may be stored under this {@code _id}. */
    public static void check(Value id) {
        BsonType type = id.type();
        if (type == BsonType.ARRAY || type == BsonType.REGEX || type == BsonType.UNDEFINED) {
            throw new CommandException(ErrorCode.InvalidIdField, "The '_id' value cannot be of type %s", type.alias());
        }
        if (id instanceof Value.Doc(RawDocument document)) {
            checkNames(document);
        }
    }

    private static void checkNames(RawDocument fields) {
        for (Element field : fields) {
            if (field.name().startsWith("$")) {
                throw dollar(field.name());
            }
            switch (field.value()) {
                case Value.Doc(RawDocument inner) -> checkNames(inner);
                case Value.Array(RawDocument elements) -> checkNames(elements);
                default -> {}
            }
        }
    }

    static CommandException dollar(String name) {
        return new CommandException(
                ErrorCode.DollarPrefixedFieldName,
                "_id fields may not contain '$'-prefixed fields: %s is not valid for storage.",
                name);
    }

    /** The document with this {@code _id} in front of the other fields; the same object if it has it there. */
    static RawDocument first(RawDocument document, @Nullable Value id) {
        if (id == null) {
            return document;
        }
        Element first = document.first();
        if (first != null && first.name().equals("_id") && first.value().equals(id)) {
            return document;
        }
        var out = new BsonWriter(document.length() + 32).put("_id", id);
        for (var at = document.cursor(); at.next(); ) {
            if (!at.nameIs(NAME)) {
                out.copy(at);
            }
        }
        return out.finish();
    }

    /** The new document with the old one's {@code _id}, provided that it has no other. */
    static RawDocument kept(RawDocument before, RawDocument after) {
        Value id = before.get(NAME);
        if (id != null) {
            checkAgrees(after, id);
        }
        return first(after, id);
    }

    /** A document to insert with the {@code _id} that the filter fixed, else its own, else the generated one. */
    static RawDocument chosen(RawDocument document, @Nullable Value fixed, Value generated) {
        Value own = document.get(NAME);
        if (fixed != null) {
            checkAgrees(document, fixed);
        }
        Value id = fixed != null ? fixed : own != null ? own : generated;
        check(id);
        return first(document, id);
    }

    private static void checkAgrees(RawDocument document, Value id) {
        Value own = document.get(NAME);
        if (own != null && !ValueOrder.equal(own, id)) {
            throw new CommandException(
                    ErrorCode.ImmutableField,
                    "After applying the update, the (immutable) field '_id' was found to have been altered to "
                            + "_id: %s",
                    Shell.text(own));
        }
    }

    static void checkKept(@Nullable Value before, @Nullable Value after) {
        if (before == null ? after != null : !before.equals(after)) {
            throw new CommandException(
                    ErrorCode.ImmutableField,
                    "Performing an update on the path '_id' would modify the immutable field '_id'");
        }
    }
}
