package dev.semel.cli.transfer;

import dev.semel.driver.MongoCollection;
import dev.semel.driver.model.BulkWriteOptions;
import dev.semel.driver.model.InsertOneModel;
import dev.semel.driver.model.MongoBulkWriteException;
import dev.semel.driver.model.ReplaceOneModel;
import dev.semel.driver.model.ReplaceOptions;
import dev.semel.driver.model.WriteModel;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.bson.RawBsonDocument;
import org.jspecify.annotations.Nullable;

/** Puts the documents of a file into a collection, in batches. */
public final class Importer {
    /** A batch ends here even if it has few documents, so that memory stays bounded. */
    private static final int BATCH_BYTES_MAX = 16 << 20;

    private final MongoCollection<RawBsonDocument> collection;
    private final Options options;
    private final Failures failures;
    private final Progress progress;
    private final LongSupplier bytesRead;

    private final @Nullable Upsert upsert;
    private final List<WriteModel<RawBsonDocument>> batch = new ArrayList<>();
    private final List<Long> lines = new ArrayList<>();
    private int batchBytes;
    private long done;
    private boolean stopped;

    /**
     * How to import.
     *
     * @param upsertFields replace documents that agree in these fields; empty: insert only
     * @param stopOnError whether the first failure ends the import
     * @param batchSize documents sent at once
     */
    public record Options(List<String> upsertFields, boolean stopOnError, int batchSize) {}

    /** What came of it. */
    public record Outcome(long imported, long failed, double seconds, double perSecond) {}

    public Importer(
            MongoCollection<RawBsonDocument> collection,
            Options options,
            PrintWriter err,
            Progress progress,
            LongSupplier bytesRead) {
        this.collection = collection;
        this.options = options;
        this.failures = new Failures(err);
        this.progress = progress;
        this.bytesRead = bytesRead;
        this.upsert = options.upsertFields().isEmpty() ? null : new Upsert(options.upsertFields());
    }

    public Outcome run(Items items) throws IOException {
        while (!stopped) {
            try {
                var item = items.next();
                if (item == null) {
                    break;
                }
                add(item);
            } catch (BadItem e) {
                failures.report(e.line(), String.valueOf(e.getMessage()));
                stopped = options.stopOnError() || e.isLast();
            }
        }
        // What was read before the failure is imported: its lines are not the ones that failed.
        flush();
        return new Outcome(done, failures.count(), progress.seconds(), progress.perSecond());
    }

    private void add(Item item) throws BadItem {
        var document = raw(item.document());
        batch.add(
                upsert == null
                        ? new InsertOneModel<>(document)
                        : new ReplaceOneModel<>(raw(upsert.filter(item)), document, new ReplaceOptions().upsert(true)));
        lines.add(item.line());
        batchBytes += item.document().length();
        if (batch.size() >= options.batchSize() || batchBytes >= BATCH_BYTES_MAX) {
            flush();
        }
    }

    private void flush() {
        if (batch.isEmpty()) {
            return;
        }
        try {
            collection.bulkWrite(batch, new BulkWriteOptions().ordered(options.stopOnError()));
            done += batch.size();
        } catch (MongoBulkWriteException e) {
            e.getWriteErrors().forEach(error -> failures.report(lines.get(error.getIndex()), error.getMessage()));
            var result = e.getWriteResult();
            done += (long) result.getInsertedCount()
                    + result.getMatchedCount()
                    + result.getUpserts().size();
            stopped |= options.stopOnError();
        }
        batch.clear();
        lines.clear();
        batchBytes = 0;
        progress.to(bytesRead.getAsLong(), done);
    }

    private static RawBsonDocument raw(RawDocument document) {
        return new RawBsonDocument(document.array(), document.offset(), document.length());
    }
}
