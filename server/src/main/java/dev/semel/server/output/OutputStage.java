package dev.semel.server.output;

import dev.semel.server.catalog.TimeSeries;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The last stage of a pipeline that writes its results instead of returning them. */
public sealed interface OutputStage {
    Namespace target();

    String name();

    /** The stage with everything that it leaves to be assumed, as {@code explain} shows it. */
    RawDocument described();

    /**
     * {@code $out}: the results become the whole of a collection.
     *
     * @param timeSeries what makes it one of measurements; null to leave it as it is
     */
    record Out(Namespace target, @Nullable TimeSeries timeSeries) implements OutputStage {
        static final String NAME = "$out";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public RawDocument described() {
            BsonWriter out = new BsonWriter()
                    .startDocument(NAME)
                    .put("coll", target.collection())
                    .put("db", target.database());
            if (timeSeries != null) {
                timeSeries.writeTo(out);
            }
            return out.end().finish();
        }
    }

    /**
     * {@code $merge}: each result joins a collection.
     *
     * @param on the fields by which a result finds the document it is about
     * @param pipeline what becomes of that document, for {@link Matched#PIPELINE}
     * @param let the pipeline's variables, expressions over the result
     */
    record Merge(
            Namespace target,
            List<String> on,
            Matched matched,
            NotMatched notMatched,
            @Nullable RawDocument pipeline,
            @Nullable RawDocument let)
            implements OutputStage {
        static final String NAME = "$merge";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public RawDocument described() {
            BsonWriter out = new BsonWriter()
                    .startDocument(NAME)
                    .startDocument("into")
                    .put("db", target.database())
                    .put("coll", target.collection())
                    .end();
            if (on.size() == 1) {
                out.put("on", on.getFirst());
            } else {
                out.startArray("on");
                on.forEach(out::add);
                out.end();
            }
            if (let != null) {
                out.put("let", let);
            }
            if (pipeline == null) {
                out.put("whenMatched", matched.toString());
            } else {
                out.put("whenMatched", new Value.Array(pipeline));
            }
            return out.put("whenNotMatched", notMatched.toString()).end().finish();
        }
    }

    /** What becomes of a document that a result is about. */
    enum Matched {
        REPLACE("replace"),
        KEEP_EXISTING("keepExisting"),
        MERGE("merge"),
        FAIL("fail"),
        PIPELINE("pipeline");

        private final String text;

        Matched(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    /** What becomes of a result that is about no document. */
    enum NotMatched {
        INSERT,
        DISCARD,
        FAIL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
