package dev.semel.driver.gridfs;

import dev.semel.driver.FindIterable;
import dev.semel.driver.MongoCursor;
import dev.semel.driver.MongoIterable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** Files that match, put together and then iterated. Not to be shared between threads. */
public final class GridFSFindIterable implements MongoIterable<GridFSFile> {
    private final FindIterable<BsonDocument> files;
    private final CodecRegistry codecs;

    GridFSFindIterable(FindIterable<BsonDocument> files, CodecRegistry codecs) {
        this.files = files;
        this.codecs = codecs;
    }

    public GridFSFindIterable filter(@Nullable Bson value) {
        files.filter(value);
        return this;
    }

    public GridFSFindIterable sort(@Nullable Bson value) {
        files.sort(value);
        return this;
    }

    public GridFSFindIterable limit(int value) {
        files.limit(value);
        return this;
    }

    public GridFSFindIterable skip(int value) {
        files.skip(value);
        return this;
    }

    public GridFSFindIterable maxTime(@Nullable Duration value) {
        files.maxTime(value);
        return this;
    }

    public GridFSFindIterable maxTime(long value, TimeUnit unit) {
        files.maxTime(value, unit);
        return this;
    }

    @Override
    public GridFSFindIterable batchSize(int value) {
        files.batchSize(value);
        return this;
    }

    @Override
    public MongoCursor<GridFSFile> cursor() {
        return files.map(each -> GridFSFile.of(each, codecs)).cursor();
    }

    @Override
    public @Nullable GridFSFile first() {
        BsonDocument first = files.first();
        return first == null ? null : GridFSFile.of(first, codecs);
    }
}
