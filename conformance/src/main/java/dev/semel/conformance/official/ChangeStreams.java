package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;

import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.FullDocumentBeforeChange;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Values;
import java.util.List;
import org.bson.BsonDocument;

/** {@code createChangeStream} of a client, a database or a collection. */
final class ChangeStreams {
    private static final Options<ChangeStreamIterable<BsonDocument>> OPTIONS = Options.of(
            option("batchSize", (o, v) -> o.batchSize(Values.number(v))),
            option("collation", (o, v) -> o.collation(Dialect.collation(v))),
            option("comment", (o, v) -> o.comment(v)),
            option("fullDocument", (o, v) -> o.fullDocument(FullDocument.fromString(Values.string(v)))),
            option(
                    "fullDocumentBeforeChange",
                    (o, v) -> o.fullDocumentBeforeChange(FullDocumentBeforeChange.fromString(Values.string(v)))),
            option("maxAwaitTimeMS", (o, v) -> Dialect.millis(o::maxAwaitTime, v)),
            option("resumeAfter", (o, v) -> o.resumeAfter(v.asDocument())),
            option("showExpandedEvents", (o, v) -> o.showExpandedEvents(Values.bool(v))),
            option("startAfter", (o, v) -> o.startAfter(v.asDocument())),
            option("startAtOperationTime", (o, v) -> o.startAtOperationTime(v.asTimestamp())));

    private ChangeStreams() {}

    static List<BsonDocument> pipeline(Arguments arguments) {
        return Values.documents(arguments.get("pipeline"));
    }

    static Driven.Outcome open(ChangeStreamIterable<BsonDocument> stream, Arguments arguments) {
        OPTIONS.apply("createChangeStream", stream, arguments, "pipeline", "timeoutMS");
        return new Driven.Created(new OpenCursor(
                "changeStream", stream.withDocumentClass(BsonDocument.class).cursor()));
    }
}
