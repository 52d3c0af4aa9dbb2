package dev.semel.server.commands;

import dev.semel.server.statement.Change;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/**
 * The stage that would write, as {@code explain} shows it around the stages that find documents, and what it would do to each that is
 * found.
 */
final class ExplainedWrite {
    private final @Nullable Change change;
    private final boolean multi;
    private final boolean returnsOld;
    private final boolean returnsNew;
    private long matched;
    private long changed;

    private ExplainedWrite(@Nullable Change change, boolean multi, boolean returnsOld, boolean returnsNew) {
        this.change = change;
        this.multi = multi;
        this.returnsOld = returnsOld;
        this.returnsNew = returnsNew;
    }

    static ExplainedWrite update(Change change, boolean multi) {
        return new ExplainedWrite(change, multi, false, false);
    }

    static ExplainedWrite delete(boolean multi) {
        return new ExplainedWrite(null, multi, false, false);
    }

    /** That of a command which answers with the document. */
    ExplainedWrite returning(boolean afterwards) {
        return new ExplainedWrite(change, multi, !afterwards, afterwards);
    }

    /** One document that was found. */
    void found(RawDocument document) {
        matched++;
        if (change != null && change.changes(document)) {
            changed++;
        }
    }

    private long upserted() {
        return change != null && change.upsert() && matched == 0 ? 1 : 0;
    }

    /** How many documents it would answer with. */
    long returned() {
        return returnsOld ? matched : returnsNew ? matched + upserted() : 0;
    }

    /** Puts it around the stages of an explanation. */
    void wrap(RawDocument shown, BsonWriter out) {
        for (ElementCursor at = shown.cursor(); at.next(); ) {
            switch (at.value()) {
                case Value.Doc(RawDocument part) -> {
                    out.startDocument(at.name());
                    wrapPart(part, out);
                    out.end();
                }
                default -> out.copy(at);
            }
        }
    }

    private void wrapPart(RawDocument part, BsonWriter out) {
        for (ElementCursor at = part.cursor(); at.next(); ) {
            if (at.value() instanceof Value.Array(RawDocument plans)
                    && at.name().equals("rejectedPlans")) {
                rejected(plans, out.startArray(at.name()));
                out.end();
            } else if (at.value() instanceof Value.Doc(RawDocument tree) && tree.has("stage")) {
                RawDocument input = input(tree);
                cached(tree, out.startDocument(at.name())).put("stage", change == null ? "DELETE" : "UPDATE");
                if (at.name().equals("executionStages")) {
                    statistics(input, out);
                }
                out.put("inputStage", input).end();
            } else {
                out.copy(at);
            }
        }
    }

    /** Of them the stages below are shown. */
    private static void rejected(RawDocument plans, BsonWriter out) {
        for (ElementCursor at = plans.cursor(); at.next(); ) {
            if (at.value() instanceof Value.Doc(RawDocument tree)) {
                cached(tree, out.startDocument()).copyAll(input(tree)).end();
            }
        }
    }

    private static BsonWriter cached(RawDocument tree, BsonWriter out) {
        Value isCached = tree.get("isCached");
        return isCached == null ? out : out.put("isCached", isCached);
    }

    /** MongoDB ends a statement that is for one document without a stage for that. */
    private static RawDocument input(RawDocument tree) {
        boolean isLimit = tree.get("stage") instanceof Value.Str(var stage)
                && stage.toString().equals("LIMIT");
        if (isLimit && tree.get("inputStage") instanceof Value.Doc(RawDocument limited)) {
            return limited;
        }
        BsonWriter out = new BsonWriter(tree.length());
        for (ElementCursor at = tree.cursor(); at.next(); ) {
            if (!at.name().equals("isCached")) {
                out.copy(at);
            }
        }
        return out.finish();
    }

    private void statistics(RawDocument input, BsonWriter out) {
        long reads = input.get("works") instanceof Value.Int32(int works) ? works : matched;
        // One for each document, and at the end one more that finds there is nothing left to do.
        boolean hasMore = (!multi && matched > 0) || returned() > matched;
        long works = hasMore ? reads + 1 : Math.max(reads, 1);
        out.put("nReturned", integer(returned()))
                .put("executionTimeMillisEstimate", 0)
                .put("works", integer(works))
                .put("advanced", integer(returned()))
                .put("needTime", integer(works - 1 - returned()))
                .put("needYield", 0)
                .put("saveState", 0)
                .put("restoreState", 0)
                .put("isEOF", 1);
        if (change == null) {
            out.put("nWouldDelete", integer(matched));
        } else {
            out.put("nMatched", integer(matched))
                    .put("nWouldModify", integer(changed))
                    .put("nWouldUpsert", integer(upserted()));
        }
    }

    private static Value integer(long value) {
        return value == (int) value ? Value.of((int) value) : Value.of(value);
    }
}
