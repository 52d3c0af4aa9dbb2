package dev.semel.query.expression;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;

/** How much a specification takes as expressions, before it is parsed, so that one which takes too much never is. */
public final class ExpressionSize {
    private static final byte[] LITERAL = "$literal".getBytes(StandardCharsets.UTF_8);

    /** From a text's value to its first byte. */
    private static final int TEXT_AT = 4;

    /** So many constants take as much as an expression that computes something. */
    private static final int CONSTANTS_PER_PART = 8;

    private long parts;
    private long constants;

    private ExpressionSize() {}

    /** Compared with a plain condition of a filter. A {@code $literal} stays as it is, and takes nothing. */
    public static int of(RawDocument specification) {
        ExpressionSize size = new ExpressionSize();
        size.add(specification.cursor());
        return (int) Math.min(size.parts + size.constants / CONSTANTS_PER_PART, Integer.MAX_VALUE);
    }

    /** The same of one expression. */
    public static int of(Value expression) {
        return switch (expression) {
            case Value.Doc(RawDocument document) -> of(document);
            case Value.Array(RawDocument elements) -> of(elements);
            default -> 1;
        };
    }

    private void add(ElementCursor at) {
        while (at.next()) {
            switch (at.type()) {
                case DOCUMENT, ARRAY -> {
                    parts++;
                    if (!at.nameIs(LITERAL)) {
                        add(RawDocument.view(at.array(), at.valueStart()).cursor());
                    }
                }
                case STRING -> {
                    if (at.array()[at.valueStart() + TEXT_AT] == '$') {
                        parts++;
                    } else {
                        constants++;
                    }
                }
                default -> constants++;
            }
        }
    }
}
