package dev.semel.query.delta;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** A {@link Delta difference} in the form of change streams: by dotted paths from the top. */
public final class UpdateDescription {
    private final BsonWriter updated = new BsonWriter();
    private final BsonWriter removed = new BsonWriter(32);
    private final BsonWriter truncated = new BsonWriter(32);
    private final BsonWriter disambiguated = new BsonWriter(32);

    /** One step of a path: a field's name, or an index into an array. */
    private sealed interface Step {
        record Field(String name) implements Step {}

        record Index(int position) implements Step {}
    }

    private final List<Step> path = new ArrayList<>();

    private UpdateDescription() {}

    /**
     * The fields {@code updatedFields}, {@code removedFields}, {@code truncatedArrays} and, if wanted,
     * {@code disambiguatedPaths}: the steps of those paths that could be read in another way, because a name holds a dot
     * or looks like an index.
     */
    public static RawDocument of(RawDocument difference, boolean withDisambiguatedPaths) {
        UpdateDescription description = new UpdateDescription();
        description.document(difference);
        BsonWriter out = new BsonWriter(difference.length() + 128)
                .put("updatedFields", description.updated.finish())
                .put("removedFields", description.removed.finishArray())
                .put("truncatedArrays", description.truncated.finishArray());
        if (withDisambiguatedPaths) {
            out.put("disambiguatedPaths", description.disambiguated.finish());
        }
        return out.finish();
    }

    private void document(RawDocument difference) {
        for (Element part : difference) {
            RawDocument fields = ((Value.Doc) part.value()).document();
            switch (part.name()) {
                case "d" -> {
                    for (Element field : fields) {
                        at(new Step.Field(field.name()), () -> removed.add(Value.of(path())));
                    }
                }
                case "u", "i" -> {
                    for (Element field : fields) {
                        at(new Step.Field(field.name()), () -> updated.put(path(), field.value()));
                    }
                }
                default -> within(new Step.Field(part.name().substring(1)), fields);
            }
        }
    }

    private void array(RawDocument difference) {
        for (Element part : difference) {
            switch (part.name().charAt(0)) {
                case 'a' -> {}
                case 'l' -> {
                    truncated
                            .startDocument()
                            .put("field", path())
                            .put("newSize", part.value())
                            .end();
                    disambiguate();
                }
                case 'u' -> at(index(part), () -> updated.put(path(), part.value()));
                default -> within(index(part), ((Value.Doc) part.value()).document());
            }
        }
    }

    private static Step index(Element part) {
        return new Step.Index(Integer.parseInt(part.name(), 1, part.name().length(), 10));
    }

    private void within(Step step, RawDocument difference) {
        path.add(step);
        if (Delta.isArray(difference)) {
            array(difference);
        } else {
            document(difference);
        }
        path.removeLast();
    }

    private void at(Step step, Runnable tell) {
        path.add(step);
        tell.run();
        disambiguate();
        path.removeLast();
    }

    private String path() {
        StringBuilder dotted = new StringBuilder();
        for (Step step : path) {
            if (!dotted.isEmpty()) {
                dotted.append('.');
            }
            switch (step) {
                case Step.Field(String name) -> dotted.append(name);
                case Step.Index(int position) -> dotted.append(position);
            }
        }
        return dotted.toString();
    }

    private void disambiguate() {
        boolean ambiguous = false;
        for (int i = 0; i < path.size(); i++) {
            ambiguous |= path.get(i) instanceof Step.Field(String name)
                    && (name.indexOf('.') >= 0 || (i > 0 && isNumber(name)));
        }
        if (!ambiguous) {
            return;
        }
        disambiguated.startArray(path());
        for (Step step : path) {
            disambiguated.add(
                    switch (step) {
                        case Step.Field(String name) -> Value.of(name);
                        case Step.Index(int position) -> Value.of(position);
                    });
        }
        disambiguated.end();
    }

    /** Whether a name could be an index, which never begins with a needless zero. */
    private static boolean isNumber(String name) {
        return !name.isEmpty()
                && (name.length() == 1 || name.charAt(0) != '0')
                && name.chars().allMatch(each -> each >= '0' && each <= '9');
    }
}
