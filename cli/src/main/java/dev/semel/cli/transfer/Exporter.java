package dev.semel.cli.transfer;

import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.Projections;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.util.List;
import org.bson.RawBsonDocument;

/** Writes the documents of a collection that a query finds to a file. */
public final class Exporter {
    private final MongoCollection<RawBsonDocument> collection;

    /** What to export; an empty document or list stands for all, a limit of 0 for none. */
    public record Query(RawDocument filter, RawDocument sort, List<String> fields, int skip, int limit) {}

    public Exporter(MongoCollection<RawBsonDocument> collection) {
        this.collection = collection;
    }

    public long run(Query query, Output output, Progress progress) throws IOException {
        var found = collection
                .find(raw(query.filter()))
                .sort(raw(query.sort()))
                .skip(query.skip())
                .limit(query.limit());
        if (!query.fields().isEmpty()) {
            found = found.projection(Projections.include(query.fields()));
        }
        long count = 0;
        try (var cursor = found.iterator()) {
            while (cursor.hasNext()) {
                output.write(document(cursor.next()));
                count++;
                progress.to(0, count);
            }
        }
        return count;
    }

    private static RawDocument document(RawBsonDocument found) {
        var buffer = found.getByteBuffer();
        var bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return RawDocument.of(bytes);
    }

    private static RawBsonDocument raw(RawDocument document) {
        return new RawBsonDocument(document.array(), document.offset(), document.length());
    }
}
