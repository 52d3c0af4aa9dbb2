package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Filters with very many conditions are planned in time: ways of which there are exponentially or quadratically many are not tried. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LargeFilterTest {
    private static final int CLAUSES = 40;
    private static final int QUERY_BYTES = 128 << 20;

    private Server server;
    private LocalConnection connection;

    @BeforeEach
    void insert() throws Exception {
        server = Server.start(ServerOptions.memory()
                .inProcess()
                .parameters(Map.of("queryBytesTotalMax", Integer.toString(QUERY_BYTES))));
        connection = server.connectAsClient();
        BsonWriter out = new BsonWriter().put("insert", "c").put("$db", "db").startArray("documents");
        for (int id = 0; id < 3; id++) {
            out.startDocument().put("_id", id).put("k", id).put("z", 1);
            for (int i = 0; i < CLAUSES; i++) {
                // The second document meets each $or by its second field, the third does not meet the last one.
                out.put((id == 1 ? "b" : "a") + i, id == 2 && i == CLAUSES - 1 ? 0 : 1);
            }
            out.end();
        }
        connection.run(out.end().finish());
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        server.close();
    }

    private void index(BsonWriter index) {
        RawDocument reply = connection.run(new BsonWriter()
                .put("createIndexes", "c")
                .put("$db", "db")
                .startArray("indexes")
                .add(index.put("name", "i").finish())
                .end()
                .finish());
        assertThat(reply.get("ok")).isEqualTo(Value.of(1.0));
    }

    private void assertCount(RawDocument filter, int expected) {
        RawDocument reply = connection.run(new BsonWriter()
                .put("count", "c")
                .put("$db", "db")
                .put("query", filter)
                .finish());
        assertThat(reply.get("n")).isEqualTo(Value.of(expected));
    }

    private static RawDocument alternatives() {
        BsonWriter out = new BsonWriter().startArray("$and");
        for (int i = 0; i < CLAUSES; i++) {
            out.startDocument().startArray("$or");
            for (String name : new String[] {"a", "b", "c"}) {
                out.startDocument().put(name + i, 1).end();
            }
            out.end().end();
        }
        return out.end().finish();
    }

    private static BsonWriter key(String field) {
        return new BsonWriter().startDocument("key").put(field, 1).end();
    }

    @Test
    void alternativesWithoutAnIndex() {
        assertCount(alternatives(), 2);
    }

    @Test
    void alternativesOfWhichOneBranchHasAnIndex() {
        index(key("a0"));
        assertCount(alternatives(), 2);
    }

    @Test
    void alternativesBesideAPartialIndex() {
        index(key("k").startDocument("partialFilterExpression")
                .startArray("$or")
                .add(new BsonWriter().put("z", 0).finish())
                .add(new BsonWriter().put("z", 1).finish())
                .end()
                .end());
        assertCount(alternatives(), 2);
    }

    /** Each of the alternatives of the one could be compared with each of the other on exponentially many ways. */
    @Test
    void nestedBesideANestedPartialIndex() {
        RawDocument partial = new BsonWriter().put("z", 2).finish();
        RawDocument filter = new BsonWriter().put("k", 1).finish();
        for (int i = 0; i < 16; i++) {
            partial = either(both(partial, new BsonWriter().put("p" + i, 1).finish()), "o" + i);
            filter = both(either(filter, "q" + i), new BsonWriter().put("z", 1).finish());
        }
        index(key("k").put("partialFilterExpression", partial));
        assertCount(filter, 1);
    }

    private static RawDocument either(RawDocument one, String other) {
        return new BsonWriter()
                .startArray("$or")
                .add(one)
                .add(new BsonWriter().put(other, 1).finish())
                .end()
                .finish();
    }

    private static RawDocument both(RawDocument one, RawDocument other) {
        return new BsonWriter().startArray("$and").add(one).add(other).end().finish();
    }

    @Test
    void manyConditionsBesideManyAlternativesOfAPartialIndex() {
        BsonWriter alternatives = new BsonWriter().startArray("$or");
        for (int i = 0; i < 10_000; i++) {
            alternatives.startDocument().put("k", "s" + i).end();
        }
        index(key("k").put("partialFilterExpression", alternatives.end().finish()));
        BsonWriter conditions = new BsonWriter().startArray("$and");
        BsonWriter values = new BsonWriter().startDocument("k").startArray("$in");
        for (int i = 0; i < 30_000; i++) {
            conditions
                    .startDocument()
                    .startDocument("k")
                    .put("$gt", -1 - i)
                    .end()
                    .end();
            values.add(Value.of(i));
        }
        assertCount(conditions.end().finish(), 3);
        assertCount(values.end().end().finish(), 3);
    }

    @Test
    void pathsOfAWildcardIndex() {
        index(key("$**"));
        BsonWriter filter = new BsonWriter().put("a0", 1);
        for (int i = 0; i < 9_000; i++) {
            filter.put("k" + i, i);
        }
        assertCount(filter.finish(), 0);
    }

    private void assertTooLarge(BsonWriter command) {
        RawDocument reply = connection.run(command.put("$db", "db").finish());
        assertThat(reply.get("code")).isEqualTo(Value.of(146));
        assertThat(String.valueOf(reply.get("errmsg"))).contains("queryBytesTotalMax");
    }

    private static RawDocument list(String operator, int size) {
        BsonWriter out = new BsonWriter().startDocument("k").startArray(operator);
        for (int i = 0; i < size; i++) {
            out.add(Value.of(i));
        }
        return out.end().end().finish();
    }

    /** Whatever kind of filter it is, and whoever reads it. */
    @Test
    void eachKindOfConditionsCounts() {
        for (RawDocument filter : List.of(
                list("$in", 1_200_000),
                list("$nin", 1_200_000),
                list("$all", 150_000),
                new BsonWriter().put("$expr", alternativesOf("$eq", 150_000)).finish(),
                new BsonWriter().put("$jsonSchema", properties(80_000)).finish())) {
            assertTooLarge(new BsonWriter().put("count", "c").put("query", filter));
        }
        RawDocument names = alternativesOf("name", 150_000);
        assertTooLarge(new BsonWriter().put("listCollections", 1).put("filter", names));
        assertTooLarge(new BsonWriter().put("create", "d").put("validator", names));
        assertTooLarge(new BsonWriter().put("collMod", "c").put("validator", names));
        assertCount(list("$in", 300_000), 3);
    }

    private static RawDocument alternativesOf(String field, int size) {
        BsonWriter out = new BsonWriter().startArray("$or");
        for (int i = 0; i < size; i++) {
            out.startDocument()
                    .startArray(field)
                    .add(Value.of(i))
                    .add(Value.of(i))
                    .end()
                    .end();
        }
        return out.end().finish();
    }

    private static RawDocument properties(int size) {
        BsonWriter out = new BsonWriter().startDocument("patternProperties");
        for (int i = 0; i < size; i++) {
            out.startDocument("p" + i).end();
        }
        return out.end().finish();
    }

    /** More conditions than the memory has room for as objects are refused before they are all read. */
    @Test
    void moreThanTheMemoryHolds() {
        BsonWriter branches = new BsonWriter().startArray("$or");
        BsonWriter changes = new BsonWriter();
        for (int i = 0; i < 200_000; i++) {
            branches.startDocument().put("k", i).end();
            changes.put("f" + i, i);
        }
        RawDocument count = connection.run(new BsonWriter()
                .put("count", "c")
                .put("$db", "db")
                .put("query", branches.end().finish())
                .finish());
        assertThat(count.get("code")).isEqualTo(Value.of(146));
        assertThat(String.valueOf(count.get("errmsg"))).contains("queryBytesTotalMax");
        RawDocument update = connection.run(new BsonWriter()
                .put("update", "c")
                .put("$db", "db")
                .startArray("updates")
                .startDocument()
                .put("q", RawDocument.EMPTY)
                .startDocument("u")
                .put("$set", changes.finish())
                .end()
                .end()
                .end()
                .finish());
        assertThat(update.toString()).contains("ExceededMemoryLimit");
        RawDocument project = connection.run(new BsonWriter()
                .put("aggregate", "c")
                .put("$db", "db")
                .startArray("pipeline")
                .startDocument()
                .put("$project", fields("$a0"))
                .end()
                .end()
                .put("cursor", RawDocument.EMPTY)
                .finish());
        assertThat(project.get("code")).isEqualTo(Value.of(146));
        RawDocument find = connection.run(new BsonWriter()
                .put("find", "c")
                .put("$db", "db")
                .put("projection", fields("$a0"))
                .finish());
        assertThat(find.get("code")).isEqualTo(Value.of(146));
        assertCount(RawDocument.EMPTY, 3);
    }

    private static RawDocument fields(String value) {
        BsonWriter out = new BsonWriter();
        for (int i = 0; i < 200_000; i++) {
            out.put("f" + i, value);
        }
        return out.finish();
    }

    @Test
    void exclusionsOfAnIndexedField() {
        index(key("k"));
        BsonWriter filter = new BsonWriter().startArray("$nor");
        for (int i = 0; i < 50_000; i++) {
            filter.startDocument().put("k", i + 1).end();
        }
        assertCount(filter.end().finish(), 1);
    }

    @Test
    void elementsOfAnIndexedArray() {
        index(key("k"));
        connection.run(new BsonWriter()
                .put("insert", "c")
                .put("$db", "db")
                .startArray("documents")
                .startDocument()
                .put("_id", 9)
                .startArray("k")
                .add(Value.of(1))
                .add(Value.of(5))
                .end()
                .end()
                .end()
                .finish());
        BsonWriter filter = new BsonWriter().startArray("$and");
        for (int i = 0; i < 20_000; i++) {
            filter.startDocument()
                    .startDocument("k")
                    .startDocument("$elemMatch")
                    .put("$gt", 1)
                    .put("$lt", 6 + i)
                    .end()
                    .end()
                    .end();
        }
        assertCount(filter.end().finish(), 1);
    }

    /** Of 200 parts each, so that the objects of a path take fifty times as much as its text. */
    private static RawDocument longPaths(Value value) {
        String below = ".a".repeat(199);
        BsonWriter out = new BsonWriter();
        for (int i = 0; i < 8_000; i++) {
            out.put("f" + i + below, value);
        }
        return out.finish();
    }

    @Test
    void theirPathsCountByTheirParts() {
        RawDocument paths = longPaths(Value.of(1));
        assertTooLarge(new BsonWriter().put("count", "c").put("query", paths));
        assertTooLarge(new BsonWriter().put("find", "c").put("projection", paths));
        BsonWriter variable = new BsonWriter().startArray("v");
        for (int i = 0; i < 8_000; i++) {
            variable.add(Value.of("$$NOW" + ".a".repeat(199)));
        }
        RawDocument let = variable.end().finish();
        assertTooLarge(new BsonWriter().put("find", "c").put("let", let));
        for (String stage : List.of("$lookup", "$merge")) {
            BsonWriter spec = new BsonWriter().put("let", let);
            if (stage.equals("$lookup")) {
                spec.put("from", "c").put("as", "a").startArray("pipeline").end();
            } else {
                spec.put("into", "d").startArray("whenMatched").end();
            }
            assertTooLarge(new BsonWriter()
                    .put("aggregate", "c")
                    .startArray("pipeline")
                    .add(new BsonWriter().put(stage, spec.finish()).finish())
                    .end()
                    .put("cursor", RawDocument.EMPTY));
        }
        assertTooLarge(new BsonWriter()
                .put("aggregate", "c")
                .startArray("pipeline")
                .add(new BsonWriter()
                        .put("$set", longPaths(Value.of("$f" + ".a".repeat(199))))
                        .finish())
                .end()
                .put("cursor", RawDocument.EMPTY));
        RawDocument update = connection.run(new BsonWriter()
                .put("update", "c")
                .startArray("updates")
                .startDocument()
                .put("q", RawDocument.EMPTY)
                .put("u", new BsonWriter().put("$set", paths).finish())
                .end()
                .end()
                .put("$db", "db")
                .finish());
        assertThat(update.toString()).contains("ExceededMemoryLimit");
        RawDocument push = connection.run(new BsonWriter()
                .put("update", "c")
                .startArray("updates")
                .startDocument()
                .put("q", RawDocument.EMPTY)
                .startDocument("u")
                .startDocument("$push")
                .startDocument("l")
                .startArray("$each")
                .end()
                .put("$sort", paths)
                .end()
                .end()
                .end()
                .end()
                .end()
                .put("$db", "db")
                .finish());
        assertThat(push.toString()).contains("ExceededMemoryLimit");
    }

    @Test
    void theVerticesOfAShapeCount() {
        BsonWriter filter = new BsonWriter()
                .startDocument("g")
                .startDocument("$geoWithin")
                .startDocument("$geometry")
                .put("type", "Polygon")
                .startArray("coordinates")
                .startArray();
        for (int i = 0; i <= 380_000; i++) {
            double angle = 2 * Math.PI * (i % 380_000) / 380_000;
            filter.startArray()
                    .add(Value.of(Math.cos(angle)))
                    .add(Value.of(Math.sin(angle)))
                    .end();
        }
        filter.end().end().end().end().end();
        assertTooLarge(new BsonWriter().put("count", "c").put("query", filter.finish()));
    }
}
