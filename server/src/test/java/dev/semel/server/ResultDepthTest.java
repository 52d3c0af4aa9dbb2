package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.Collections;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No client has to read a reply that nests deeper than a message may, which stages can build from little. */
class ResultDepthTest {
    /** Of a document in a reply. */
    private static final int DEPTH_MAX = 197;

    private Server server;
    private LocalConnection connection;

    @BeforeEach
    void start() throws IOException {
        server = Server.start(ServerOptions.memory().inProcess());
        connection = server.connect();
        run("{insert: 'c', documents: [{_id: 1, at: [0, 0]}], $db: 'd'}");
        run("{createIndexes: 'c', indexes: [{key: {at: '2d'}, name: 'at'}], $db: 'd'}");
    }

    @AfterEach
    void stop() {
        connection.close();
        server.close();
    }

    private RawDocument run(String command) {
        return connection.run(CommandSeeds.bytes(BsonDocument.parse(command)));
    }

    private RawDocument aggregate(String stages) {
        return run("{aggregate: 'c', pipeline: [" + stages + "], cursor: {}, $db: 'd'}");
    }

    private static String path(int names) {
        return String.join(".", Collections.nCopies(names, "a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$addFields: {'%s': 1}}",
                "{$project: {'%s': '$_id'}}",
                "{$lookup: {from: 'c', localField: 'none', foreignField: '_id', as: '%s'}}",
                "{$graphLookup: {from: 'c', startWith: 0, connectFromField: '_id', connectToField: '_id', as: '%s'}}",
                "{$geoNear: {near: [0, 0], distanceField: '%s'}}",
                "{$densify: {field: '%s', range: {step: 1, bounds: [0, 2]}}}",
                "{$setWindowFields: {sortBy: {_id: 1}, output: {'%s': {$sum: 1}}}}",
            })
    void pathsOfOneStage(String stage) {
        boolean array = stage.contains("ookup");
        int most = array ? DEPTH_MAX - 1 : DEPTH_MAX;
        assertWellFormed(aggregate(stage.formatted(path(most))));
        assertRefused(aggregate(stage.formatted(path(most + 1))));
        assertThat(aggregate(stage.formatted(path(201))).get("errmsg"))
                .asString()
                .contains("FieldPath is too long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$group: {_id: '$$ROOT'}}",
                "{$group: {_id: null, a: {$push: '$$ROOT'}}}",
                "{$bucketAuto: {groupBy: {$literal: 1}, buckets: 1, output: {a: {$push: '$$ROOT'}}}}",
                "{$facet: {a: [{$match: {}}]}}",
                "{$setWindowFields: {output: {a: {$push: '$$ROOT'}}}}",
                "{$replaceRoot: {newRoot: {a: '$$ROOT'}}}",
                "{$replaceWith: {a: '$$ROOT'}}",
                "{$addFields: {a: '$$ROOT'}}",
                "{$project: {a: '$$ROOT'}}",
            })
    void manyStages(String stage) {
        assertThat(aggregate(String.join(",", Collections.nCopies(90, stage))).get("ok"))
                .isEqualTo(Value.of(1.0));
        assertRefused(aggregate(String.join(",", Collections.nCopies(300, stage))));
    }

    @Test
    void projectionsOfFind() {
        String find = "{find: 'c', projection: {'%s': {$literal: 1}}, $db: 'd'}";
        assertWellFormed(run(find.formatted(path(DEPTH_MAX))));
        assertRefused(run(find.formatted(path(DEPTH_MAX + 1))));
    }

    private static void assertWellFormed(RawDocument reply) {
        assertThat(reply.get("ok")).as("%s", reply).isEqualTo(Value.of(1.0));
        BsonValidation.check(reply.toBytes(), 0, reply.length());
    }

    private static void assertRefused(RawDocument reply) {
        assertThat(reply.get("code")).as("%s", reply).isEqualTo(Value.of(15));
        assertThat(reply.get("errmsg")).asString().contains("exceeds the limit of 197 levels of nesting");
    }
}
