package dev.semel.query.pipeline;

import dev.semel.query.expression.FieldSet;
import dev.semel.query.expression.Metadata;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.value.FieldNames;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code $facet}: one document, of what several pipelines make of the same documents. */
public record Facet(List<Field> fields) implements Stage {
    /** A field of the result, and what is in its array. */
    public record Field(String name, Pipeline pipeline) {}

    private static final Set<String> REFUSED = Set.of(
            "$changeStream",
            "$collStats",
            "$currentOp",
            "$documents",
            "$facet",
            "$geoNear",
            "$indexStats",
            "$listLocalSessions",
            "$listSessions",
            "$merge",
            "$out",
            "$planCacheStats");

    static Stage parse(String name, Value specification, FilterScope scope, Others others) {
        if (!(specification instanceof Value.Doc(RawDocument facets)) || facets.isEmpty()) {
            throw new CommandException(
                    ErrorCode.location(40169),
                    "the $facet specification must be a non-empty object, but found: %s",
                    Shell.text(specification));
        }
        List<Field> fields = new ArrayList<>();
        for (Element facet : facets) {
            FieldNames.check(facet.name());
            Pipeline pipeline = Pipelines.parse(stages(facet), scope, others);
            if (pipeline.metadataOfSearch().contains(Metadata.TEXT_SCORE)) {
                throw refused("$match");
            }
            fields.add(new Field(facet.name(), pipeline));
        }
        return new Facet(List.copyOf(fields));
    }

    private static CommandException refused(String stage) {
        return new CommandException(
                ErrorCode.location(40600), "%s is not allowed to be used within a $facet stage", stage);
    }

    private static List<RawDocument> stages(Element facet) {
        if (!(facet.value() instanceof Value.Array(RawDocument elements))) {
            throw new CommandException(
                    ErrorCode.location(40170),
                    "arguments to $facet must be arrays, %s is type %s",
                    facet.name(),
                    facet.value().type().alias());
        }
        List<RawDocument> stages = new ArrayList<>();
        for (Element element : elements) {
            if (!(element.value() instanceof Value.Doc(RawDocument stage)) || stage.isEmpty()) {
                throw new CommandException(
                        ErrorCode.location(40171),
                        "elements of arrays in $facet spec must be non-empty objects, %s argument contained an element"
                                + " of type %s: %s",
                        facet.name(),
                        element.value().type().alias(),
                        Shell.text(element.value()));
            }
            Element first = stage.first();
            if (first != null && REFUSED.contains(first.name())) {
                throw refused(first.name());
            }
            stages.add(stage);
        }
        return stages;
    }

    @Override
    public Source open(Source in, Execution execution) {
        return new Source() {
            private boolean done;

            @Override
            public @Nullable RawDocument next() {
                if (done) {
                    return null;
                }
                done = true;
                return result(in, execution);
            }

            @Override
            public void close() {
                in.close();
            }
        };
    }

    private RawDocument result(Source in, Execution execution) {
        try (DocumentBuffer documents = new DocumentBuffer(execution.spillingBudget("$facet"))) {
            for (RawDocument next = in.next(); next != null; next = in.next()) {
                execution.environment().checkpoint();
                documents.add(next);
            }
            return result(documents, execution);
        }
    }

    private RawDocument result(DocumentBuffer documents, Execution execution) {
        BsonWriter result = new BsonWriter(1024);
        for (Field field : fields) {
            result.startArray(field.name());
            try (Source source = field.pipeline().open(documents.read(), execution.allowDiskUse())) {
                for (RawDocument next = source.next(); next != null; next = source.next()) {
                    result.add(next);
                    check(result.length());
                }
            }
            result.end();
        }
        return result.finish();
    }

    private static void check(long bytes) {
        if (bytes > Limits.DOCUMENT_BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.BSONObjectTooLarge,
                    "document constructed by $facet is %d bytes, which exceeds the limit of %d bytes",
                    bytes,
                    Limits.DOCUMENT_BYTES_MAX);
        }
    }

    @Override
    public boolean collectFields(FieldSet into) {
        for (Field field : fields) {
            FieldSet read = field.pipeline().fields();
            read.names().forEach(into::add);
            if (read.isWhole()) {
                into.addWhole();
            }
        }
        return true;
    }
}
