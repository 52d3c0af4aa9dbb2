package dev.semel.server.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On disk, a scan copies the fields that are needed; in memory it has whole documents. Nobody may notice. */
class NeededFieldsTest {
    private static final int DOCUMENTS = 300;
    private static final List<String> NAMES = List.of("a", "b", "c", "ab", "s", "t", "é");
    private static final List<String> COMMANDS = List.of(
            "{aggregate: 'c', pipeline: [{$group: {_id: '$a', n: {$sum: '$b'}, first: {$first: '$s'}}}, {$sort: {_id:"
                    + " 1}}]}",
            "{aggregate: 'c', pipeline: [{$group: {_id: null, all: {$push: '$c'}, n: {$sum: 1}}}]}",
            "{aggregate: 'c', pipeline: [{$group: {_id: null, n: {$sum: 1}}}]}",
            "{aggregate: 'c', pipeline: [{$match: {b: {$gt: 5}}}, {$group: {_id: null, n: {$sum: 1}}}]}",
            "{aggregate: 'c', pipeline: [{$match: {b: {$gt: 5}}}, {$count: 'n'}]}",
            "{aggregate: 'c', pipeline: [{$group: {_id: '$é', m: {$max: '$t'}, r: {$last: '$$ROOT'}}}, {$sort: {_id:"
                    + " 1}}]}",
            "{aggregate: 'c', pipeline: [{$match: {b: {$lt: 7}}}, {$project: {a: 1, 'c.x': 1, z: {$ifNull: ['$ab',"
                    + " 'x']}}}]}",
            "{aggregate: 'c', pipeline: [{$sort: {a: 1, _id: -1}}, {$project: {t: 1}}]}",
            "{aggregate: 'c', pipeline: [{$sort: {ab: 1, _id: 1}}, {$limit: 20}, {$project: {_id: 0, b: 1, s: 1}}]}",
            "{aggregate: 'c', pipeline: [{$unset: ['s', 't']}, {$sort: {_id: 1}}]}",
            "{aggregate: 'c', pipeline: [{$bucketAuto: {groupBy: '$b', buckets: 4}}]}",
            "{aggregate: 'c', pipeline: [{$lookup: {from: 'c', localField: 'a', foreignField: '_id', as: 'f'}},"
                    + " {$project: {n: {$size: '$f'}}}]}",
            "{find: 'c', filter: {s: {$exists: true}}, projection: {a: 1}}",
            "{find: 'c', projection: {_id: 0, 'c.y': 1, b: 1}}",
            "{find: 'c', projection: {s: 0}}",
            "{find: 'c', filter: {b: {$gte: 3}}, sort: {t: 1, _id: 1}, projection: {b: 1}, limit: 30}",
            "{find: 'c', filter: {b: {$gte: 3}}, hint: {$natural: -1}, projection: {ab: 1, b: 1}}",
            "{find: 'c', filter: {$expr: {$gt: ['$b', 4]}}, projection: {c: {$slice: 1}, x: '$a'}}",
            "{find: 'c', filter: {b: 4}, returnKey: true}",
            "{find: 'c', filter: {b: 4}, projection: {_id: 1}, showRecordId: true}",
            "{count: 'c', query: {b: {$gt: 2}}}",
            "{count: 'c', query: {b: {$gt: 2}}, skip: 3, limit: 20}",
            "{distinct: 'c', key: 'a'}",
            "{distinct: 'c', key: 'c.x', query: {b: {$lt: 8}}}");

    @TempDir
    Path directory;

    private static RawDocument run(LocalConnection connection, String text) {
        BsonWriter command = new BsonWriter().copyAll(Unquoted.document(text));
        if (text.contains("find")) {
            command.put("batchSize", DOCUMENTS + 1);
        } else if (text.contains("aggregate")) {
            command.startDocument("cursor").put("batchSize", DOCUMENTS + 1).end();
        }
        return connection.run(command.put("$db", "db").finish());
    }

    /** Of all lengths around those from which on something is left out. */
    private static RawDocument random(Random random, int id) {
        List<String> names = new ArrayList<>(NAMES);
        names.add(random.nextInt(names.size() + 1), "_id");
        BsonWriter out = new BsonWriter();
        for (String name : names) {
            if (name.equals("_id")) {
                out.put("_id", id);
            } else if (random.nextInt(6) > 0) {
                value(random, name, out);
            }
        }
        return out.finish();
    }

    private static void value(Random random, String name, BsonWriter out) {
        switch (name) {
            case "c" ->
                out.startDocument("c")
                        .put("x", random.nextInt(5))
                        .put("y", "y".repeat(random.nextInt(90)))
                        .end();
            case "s", "t" -> out.put(name, name.repeat(random.nextInt(random.nextInt(400) + 1)));
            default -> out.put(name, random.nextInt(10));
        }
    }

    @Test
    void scansFindTheSameOnDiskAndInMemory() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        BsonWriter insert = new BsonWriter().put("insert", "c").startArray("documents");
        for (int i = 0; i < DOCUMENTS; i++) {
            insert.add(random(random, i));
        }
        RawDocument documents = insert.end().put("$db", "db").finish();
        try (Server memory = Server.start(ServerOptions.memory().inProcess());
                Server disk = Server.start(ServerOptions.directory(directory).inProcess());
                LocalConnection a = memory.connect();
                LocalConnection b = disk.connect()) {
            assertThat(a.run(documents).get("n")).isEqualTo(Value.of(DOCUMENTS));
            assertThat(b.run(documents).get("n")).isEqualTo(Value.of(DOCUMENTS));
            for (String command : COMMANDS) {
                RawDocument expected = run(a, command);
                assertThat(expected.get("ok")).as("%s: %s", command, expected).isEqualTo(Value.of(1.0));
                RawDocument found = run(b, command);
                for (String part : List.of("cursor", "n", "values")) {
                    assertThat(found.get(part)).as("%s, seed %s", command, seed).isEqualTo(expected.get(part));
                }
            }
        }
    }
}
