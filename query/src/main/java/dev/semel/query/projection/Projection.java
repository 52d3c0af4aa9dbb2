package dev.semel.query.projection;

import dev.semel.query.expression.ConstantFailure;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.ExpressionSize;
import dev.semel.query.expression.Expressions;
import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Sizes;
import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.NameIndex;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The projection of a {@code find} or {@code findAndModify}. Fields that are kept stand in the document's order; what is
 * computed follows in the order of the specification.
 */
public final class Projection {
    /** What happens to the fields that the specification does not name. */
    public enum Mode {
        /** They go. */
        INCLUSION,
        /** They stay. */
        EXCLUSION
    }

    private final Mode mode;
    private final Part.Branch root;
    private final boolean computes;
    private final Environment environment;
    private final @Nullable DottedPath positional;
    private final Filter filter;

    Projection(Mode mode, Part.Branch root, Environment environment, @Nullable DottedPath positional, Filter filter) {
        this.mode = mode;
        this.root = root;
        this.computes = root.computes();
        this.environment = environment;
        this.positional = positional;
        this.filter = filter;
    }

    /**
     * Reads a specification; an empty one shows everything.
     *
     * @param filter what found the documents: the positional {@code $} is the array element that it matched
     */
    public static Projection parse(RawDocument spec, Filter filter, FilterScope scope) {
        scope.environment().parsed(ExpressionSize.of(spec));
        return new ProjectionParser(scope, filter).parse(spec);
    }

    /** The same where it is about to run: a constant that fails does so whether there are documents or not. */
    public static Projection optimized(RawDocument spec, Filter filter, FilterScope scope) {
        try {
            return parse(spec, filter, scope.checkingConstants());
        } catch (ConstantFailure e) {
            throw e.failure();
        }
    }

    /** Whether it shows every document as it is. */
    public boolean isIdentity() {
        return root.children().isEmpty() && mode != Mode.INCLUSION;
    }

    /** The metadata of documents that is shown. */
    public Set<String> metadata() {
        FieldSet fields = new FieldSet();
        collect(root, null, fields);
        return fields.metadata();
    }

    /** The top-level fields of a document that can make a difference to what is shown of it. */
    public FieldSet fields() {
        FieldSet fields = new FieldSet();
        if (mode == Mode.EXCLUSION || positional != null) {
            fields.addWhole();
        } else {
            collect(root, null, fields);
        }
        return fields;
    }

    private static void collect(Part.Branch branch, @Nullable String top, FieldSet fields) {
        branch.children().forEach((name, part) -> {
            String field = top == null ? name : top;
            switch (part) {
                case Part.Drop ignored -> {}
                case Part.Computed(var expression) -> {
                    if (top != null) {
                        fields.add(field);
                    }
                    Expressions.collectFields(expression, fields);
                }
                case Part.Branch inner -> {
                    fields.add(field);
                    collect(inner, field, fields);
                }
                default -> fields.add(field);
            }
        });
    }

    public RawDocument apply(RawDocument document) {
        if (isIdentity()) {
            return document;
        }
        environment.on(document);
        var out = new BsonWriter(mode == Mode.INCLUSION ? 256 : document.length() + 64);
        fields(root, document, document, out);
        RawDocument shown = out.finish();
        if (computes) {
            Sizes.checkDepth(shown);
        }
        return positional == null ? shown : narrowed(shown, document, 0);
    }

    private void fields(Part.Branch branch, RawDocument in, RawDocument whole, BsonWriter out) {
        NameIndex names = branch.names();
        Part[] parts = branch.parts();
        boolean[] done = new boolean[parts.length];
        for (ElementCursor at = in.cursor(); at.next(); ) {
            int named = names.placeOf(at);
            if (named < 0) {
                if (mode != Mode.INCLUSION) {
                    out.copy(at);
                }
                continue;
            }
            done[named] |= field(parts[named], at, whole, out);
        }
        for (int i = 0; i < parts.length; i++) {
            if (!done[i]) {
                missing(parts[i], new Text(names.name(i), 0, names.name(i).length), whole, out);
            }
        }
    }

    /** Writes what becomes of a field that is there; false leaves it to {@link #missing}. */
    private boolean field(Part part, ElementCursor at, RawDocument whole, BsonWriter out) {
        switch (part) {
            case Part.Keep ignored -> out.copy(at);
            case Part.Drop ignored -> {}
            case Part.Slice slice -> out.put(at.nameText(), slice(slice, at.value()));
            case Part.Branch branch -> {
                Value value = below(branch, at.value(), whole);
                if (value != null) {
                    out.put(at.nameText(), value);
                }
            }
            case Part.FirstMatch ignored -> {
                return false;
            }
            case Part.Computed ignored -> {
                return false;
            }
        }
        return true;
    }

    /** Writes what is made where there is nothing, or instead of it. */
    private void missing(Part part, Text name, RawDocument whole, BsonWriter out) {
        switch (part) {
            case Part.Computed(var expression) -> {
                Value value = Expressions.evaluate(expression, environment);
                if (value != null) {
                    out.put(name, value);
                }
            }
            case Part.Branch branch -> {
                if (branch.computes()) {
                    out.put(name, created(branch, whole));
                }
            }
            case Part.FirstMatch(Filter wanted) -> {
                int index = wanted.matchedIndex(whole);
                if (index >= 0 && whole.get(name.toBytes()) instanceof Value.Array(RawDocument elements)) {
                    out.put(name, only(elements, index));
                }
            }
            case Part.Keep ignored -> {}
            case Part.Drop ignored -> {}
            case Part.Slice ignored -> {}
        }
    }

    private Value created(Part.Branch branch, RawDocument whole) {
        var out = new BsonWriter();
        fields(branch, RawDocument.EMPTY, whole, out);
        return Value.of(out.finish());
    }

    /** A value with a part below it: documents by their fields, arrays by their elements. */
    private @Nullable Value below(Part.Branch branch, Value value, RawDocument whole) {
        return switch (value) {
            case Value.Doc(RawDocument document) -> {
                var out = new BsonWriter(document.length() + 16);
                fields(branch, document, whole, out);
                yield Value.of(out.finish());
            }
            case Value.Array(RawDocument elements) -> {
                var out = new BsonWriter(elements.length() + 16);
                for (ElementCursor at = elements.cursor(); at.next(); ) {
                    Value element = below(branch, at.value(), whole);
                    if (element != null) {
                        out.add(element);
                    }
                }
                yield out.finishArray();
            }
            default -> mode == Mode.EXCLUSION ? value : branch.computes() ? created(branch, whole) : null;
        };
    }

    private static Value only(RawDocument elements, int index) {
        var out = new BsonWriter();
        ElementCursor at = elements.cursor();
        for (int i = 0; at.next(); i++) {
            if (i == index) {
                out.add(at);
            }
        }
        return out.finishArray();
    }

    private static Value slice(Part.Slice slice, Value value) {
        if (!(value instanceof Value.Array(RawDocument elements))) {
            return value;
        }
        int size = elements.size();
        int limit = slice.limit();
        Integer skip = slice.skip();
        long from = skip == null
                ? (limit < 0 ? Math.max(0, (long) size + limit) : 0)
                : skip < 0 ? Math.max(0, (long) size + skip) : skip;
        long to = skip == null && limit < 0 ? size : from + limit;
        var out = new BsonWriter(elements.length());
        ElementCursor at = elements.cursor();
        for (int i = 0; at.next() && i < to; i++) {
            if (i >= from) {
                out.add(at);
            }
        }
        return out.finishArray();
    }

    /** The positional operator: the first array on its path keeps only the element that the filter matched. */
    private RawDocument narrowed(RawDocument shown, RawDocument whole, int part) {
        DottedPath path = positional;
        if (path == null || part == path.size()) {
            return shown;
        }
        var out = new BsonWriter(shown.length());
        for (ElementCursor at = shown.cursor(); at.next(); ) {
            if (!at.nameIs(path.partUtf8(part))) {
                out.copy(at);
                continue;
            }
            switch (at.value()) {
                case Value.Doc(RawDocument inner) -> out.put(at.nameText(), Value.of(narrowed(inner, whole, part + 1)));
                case Value.Array(RawDocument elements) -> out.put(at.nameText(), matched(elements, whole));
                default -> out.copy(at);
            }
        }
        return out.finish();
    }

    private Value matched(RawDocument elements, RawDocument whole) {
        int index = filter.matchedIndex(whole);
        if (index < 0) {
            throw new CommandException(
                    ErrorCode.location(51246),
                    "positional operator '.$' couldn't find a matching element in the array");
        }
        if (index >= elements.size()) {
            throw new CommandException(ErrorCode.location(51247), "positional operator '.$' element mismatch");
        }
        return only(elements, index);
    }
}
