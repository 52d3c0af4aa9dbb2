package dev.semel.server.statement;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What became of one statement. */
public sealed interface Outcome {
    Outcome INSERTED = new Inserted();

    record Inserted() implements Outcome {}

    /** {@code upserted} is the new document's {@code _id}, where nothing matched and one was made. */
    record Updated(long matched, long modified, @Nullable Value upserted) implements Outcome {}

    record Deleted(long documents) implements Outcome {}

    /** It failed and left nothing. */
    record Failed(CommandException error) implements Outcome {
        /** What it takes in a reply beside its message. */
        int detailBytes() {
            return error.details().fields().length();
        }

        /** Without the explanation, if it has one; the reply says so. */
        Failed brief() {
            if (!(error.details().fields().get("errInfo") instanceof Value.Doc(RawDocument info))
                    || !info.has("details")) {
                return this;
            }
            BsonWriter brief = new BsonWriter().startDocument("errInfo");
            for (Element each : info) {
                if (!each.name().equals("details")) {
                    brief.put(each.name(), each.value());
                }
            }
            brief.put("note", "detailed error was too large").end();
            return new Failed(error.withDetails(new ErrorDetails(brief.finish())));
        }
    }
}
