package dev.semel.query.expression;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.bson.BsonType;
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

    /** The paths of fields are kept as texts. */
    private static final int PATH_CHARS_PER_PART = 512;

    /** Each part of a path is kept by itself, and often as a node of a tree. */
    private static final int DOTS_PER_PART = 2;

    private long parts;
    private long dots;
    private long pathChars;
    private long constants;

    private ExpressionSize() {}

    /** Compared with a plain condition of a filter. A {@code $literal} stays as it is, and takes nothing. */
    public static int of(RawDocument specification) {
        ExpressionSize size = new ExpressionSize();
        size.add(specification.cursor(), 0);
        return size.total();
    }

    /** The same of a stage without the arrays in it: pipelines, whose stages count when they are parsed. */
    public static int besidePipelines(Value stage) {
        ExpressionSize size = new ExpressionSize();
        if (stage instanceof Value.Doc(RawDocument fields)) {
            for (var at = fields.cursor(); at.next(); ) {
                if (at.type() != BsonType.ARRAY) {
                    size.addOne(at, 0);
                }
            }
        }
        return size.total();
    }

    private int total() {
        long all = parts + dots / DOTS_PER_PART + constants / CONSTANTS_PER_PART + pathChars / PATH_CHARS_PER_PART;
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    /** The same of one expression. */
    public static int of(Value expression) {
        return switch (expression) {
            case Value.Doc(RawDocument document) -> of(document);
            case Value.Array(RawDocument elements) -> of(elements);
            default -> 1;
        };
    }

    private static int dots(byte[] bytes, int from, int to) {
        int dots = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] == '.') {
                dots++;
            }
        }
        return dots;
    }

    private void add(ElementCursor at, long charsAbove) {
        while (at.next()) {
            addOne(at, charsAbove);
        }
    }

    private void addOne(ElementCursor at, long charsAbove) {
        long chars = charsAbove + at.valueStart() - at.elementStart();
        pathChars += chars;
        dots += dots(at.array(), at.elementStart() + 1, at.valueStart() - 1);
        switch (at.type()) {
            case DOCUMENT, ARRAY -> {
                parts++;
                if (!at.nameIs(LITERAL)) {
                    add(RawDocument.view(at.array(), at.valueStart()).cursor(), chars);
                }
            }
            case STRING -> {
                int from = at.valueStart() + TEXT_AT;
                int dotsInside = dots(at.array(), from, at.valueEnd() - 1);
                if (at.array()[from] == '$') {
                    parts++;
                    dots += dotsInside;
                } else {
                    // Perhaps the path of a stage, which no text with more is.
                    constants += dotsInside < DottedPath.PARTS_MAX ? 1 + dotsInside : 1;
                }
            }
            default -> constants++;
        }
    }
}
