package dev.semel.driver;

import dev.semel.driver.operation.CommandOperation;
import dev.semel.driver.operation.CursorPage;
import dev.semel.driver.operation.Fields;
import dev.semel.driver.setting.ReadPreference;
import java.time.Duration;
import java.util.function.Consumer;
import org.bson.BsonValue;
import org.bson.codecs.Decoder;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** What {@code listCollections} and {@code listIndexes} answer, iterated. */
public final class CommandIterable<T> implements MongoIterable<T> {
    private final Scope scope;
    private final @Nullable ClientSession session;
    private final String commandName;
    private final String database;
    private final Consumer<Fields> command;
    private final Decoder<T> decoder;
    private @Nullable Bson filter;
    private @Nullable BsonValue comment;
    private @Nullable Duration maxTime;
    private int batchSize;

    CommandIterable(
            Scope scope,
            @Nullable ClientSession session,
            String commandName,
            String database,
            Consumer<Fields> command,
            Decoder<T> decoder) {
        this.scope = scope;
        this.session = session;
        this.commandName = commandName;
        this.database = database;
        this.command = command;
        this.decoder = decoder;
    }

    public CommandIterable<T> filter(@Nullable Bson value) {
        filter = value;
        return this;
    }

    public CommandIterable<T> comment(@Nullable BsonValue value) {
        comment = value;
        return this;
    }

    public CommandIterable<T> maxTime(@Nullable Duration value) {
        maxTime = value;
        return this;
    }

    @Override
    public CommandIterable<T> batchSize(int value) {
        batchSize = value;
        return this;
    }

    @Override
    public MongoCursor<T> cursor() {
        var operation = CommandOperation.read(
                        commandName,
                        database,
                        ReadPreference.primary(),
                        null,
                        scope.codecs(),
                        this::write,
                        CursorPage::of)
                .withMaxTime(maxTime);
        return scope.open(operation, session, decoder, Fetch.batches(batchSize, comment));
    }

    private void write(Fields fields) {
        command.accept(fields);
        fields.writer().writeStartDocument("cursor");
        fields.put("batchSize", batchSize == 0 ? null : Integer.valueOf(batchSize));
        fields.writer().writeEndDocument();
        fields.putBson("filter", filter).put("comment", comment);
    }
}
