package dev.semel.query.value;

import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** Values kept for longer than the document they came from. */
public final class Held {
    private static final int SMALL_BYTES = 24;

    private Held() {}

    public static boolean isNullish(@Nullable Value value) {
        return value == null || value.equals(Value.NULL) || value.equals(Value.UNDEFINED);
    }

    /** A copy of the value, so that it does not keep a document or a whole message alive. */
    public static Value copy(Value value) {
        return switch (value) {
            case Value.Str(Text text) -> new Value.Str(copy(text));
            case Value.Symbol(Text text) -> new Value.Symbol(copy(text));
            case Value.Code(Text text) -> new Value.Code(copy(text));
            case Value.Doc(var document) -> new Value.Doc(document.detached());
            case Value.Array(var elements) -> new Value.Array(elements.detached());
            case Value.CodeWithScope(Text source, var scope) -> new Value.CodeWithScope(copy(source), scope.detached());
            case Value.DbPointer(Text namespace, var id) -> new Value.DbPointer(copy(namespace), id);
            default -> value;
        };
    }

    private static Text copy(Text text) {
        return new Text(text.toBytes(), 0, text.length());
    }

    /** About what a value takes on the heap. */
    public static int bytes(Value value) {
        return SMALL_BYTES
                + switch (value) {
                    case Value.Str(Text text) -> text.length();
                    case Value.Symbol(Text text) -> text.length();
                    case Value.Code(Text text) -> text.length();
                    case Value.Doc(var document) -> document.length();
                    case Value.Array(var elements) -> elements.length();
                    case Value.Binary binary -> binary.bytes().length;
                    case Value.CodeWithScope(Text source, var scope) -> source.length() + scope.length();
                    default -> 0;
                };
    }
}
