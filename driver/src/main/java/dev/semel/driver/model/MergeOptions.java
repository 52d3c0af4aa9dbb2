package dev.semel.driver.model;

import java.util.List;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Options of {@code $merge}. The server's defaults apply to what is null. */
public final class MergeOptions {
    /** What happens to a document that exists already. */
    public enum WhenMatched {
        REPLACE("replace"),
        KEEP_EXISTING("keepExisting"),
        MERGE("merge"),
        /** Run the pipeline of {@link MergeOptions#whenMatchedPipeline}. */
        PIPELINE(""),
        FAIL("fail");

        private final String label;

        WhenMatched(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** What happens to a result without a matching document. */
    public enum WhenNotMatched {
        INSERT("insert"),
        DISCARD("discard"),
        FAIL("fail");

        private final String label;

        WhenNotMatched(String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    private @Nullable List<String> uniqueIdentifier;
    private @Nullable WhenMatched whenMatched;
    private @Nullable List<Variable<?>> variables;
    private @Nullable List<Bson> whenMatchedPipeline;
    private @Nullable WhenNotMatched whenNotMatched;

    /** The fields by which results and documents are matched. */
    public @Nullable List<String> getUniqueIdentifier() {
        return uniqueIdentifier;
    }

    public MergeOptions uniqueIdentifier(String value) {
        return uniqueIdentifier(List.of(value));
    }

    public MergeOptions uniqueIdentifier(@Nullable List<String> value) {
        uniqueIdentifier = value;
        return this;
    }

    public @Nullable WhenMatched getWhenMatched() {
        return whenMatched;
    }

    public MergeOptions whenMatched(@Nullable WhenMatched value) {
        whenMatched = value;
        return this;
    }

    /** Variables of the pipeline. */
    public @Nullable List<Variable<?>> getVariables() {
        return variables;
    }

    public MergeOptions variables(@Nullable List<Variable<?>> value) {
        variables = value;
        return this;
    }

    public @Nullable List<Bson> getWhenMatchedPipeline() {
        return whenMatchedPipeline;
    }

    public MergeOptions whenMatchedPipeline(@Nullable List<Bson> value) {
        whenMatchedPipeline = value;
        return this;
    }

    public @Nullable WhenNotMatched getWhenNotMatched() {
        return whenNotMatched;
    }

    public MergeOptions whenNotMatched(@Nullable WhenNotMatched value) {
        whenNotMatched = value;
        return this;
    }
}
