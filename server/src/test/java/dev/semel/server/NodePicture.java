package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.statement.Unquoted;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.store.key.KeyRange;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** All that can be seen of a node's committed data: its rows, and what it answers that depends on what is in its memory. */
final class NodePicture {
    /** So that a secondary answers as well. */
    static final RawDocument ANY_MEMBER =
            new BsonWriter().put("mode", "nearest").finish();

    private static final List<String> FILTERS = List.of(
            "{}",
            "{k: 2}",
            "{k: {$gt: 1, $lt: 4}}",
            "{k: {$in: [1, 3]}, m: 2}",
            "{m: 3}",
            "{m: {$gt: 1, $lt: 3}}",
            "{m: {$elemMatch: {$gt: 1, $lt: 3}}}",
            "{'s.x': 2}",
            "{'s.x': {$gt: 1, $lt: 4}}",
            "{p: true, k: {$gt: 0}}",
            "{u: {$gte: 10}}",
            "{_id: 5}",
            "{_id: {$gt: 3, $lt: 9}}");

    private static final List<String> FORMS = List.of("", ", sort: {k: -1}", ", projection: {k: 1, _id: 0}");

    /** Depend on where and when a node runs, and on how its engine lays data out. */
    private static final Set<String> LEFT_OUT = Set.of(
            "$clusterTime",
            "operationTime",
            "sizeOnDisk",
            "totalSize",
            "totalSizeMb",
            "storageSize",
            "indexSize",
            "indexSizes",
            "totalIndexSize",
            "fsUsedSize",
            "fsTotalSize",
            "timeMillis",
            "freeStorageSize",
            "indexFreeStorageSize",
            "totalFreeStorageSize",
            "indexDetails",
            "wiredTiger",
            "isCached",
            "host");

    private final Map<String, String> entries = new TreeMap<>();
    private final LocalConnection connection;

    private NodePicture(LocalConnection connection) {
        this.connection = connection;
    }

    static NodePicture of(Server server, Transactions data) {
        try (LocalConnection connection = server.connect()) {
            NodePicture picture = new NodePicture(connection);
            picture.addRows(data);
            picture.addAnswers();
            return picture;
        }
    }

    private void addRows(Transactions data) {
        HexFormat hex = HexFormat.of();
        try (Snapshot snapshot = data.snapshot()) {
            Set<Integer> numbers = numbers(snapshot);
            // On disk they may lie there for a while.
            BiPredicate<Table, byte[]> isRetired = (table, key) -> data.store().isPersistent()
                    && (table == Table.DOCUMENTS || table == Table.INDEXES)
                    && !numbers.contains(ByteBuffer.wrap(key).getInt());
            for (Table table : Table.values()) {
                try (Scan scan = snapshot.scan(table, KeyRange.ALL, false)) {
                    while (scan.next()) {
                        if (!isRetired.test(table, scan.key())) {
                            entries.put("row " + table + " " + hex.formatHex(scan.key()), hex.formatHex(scan.value()));
                        }
                    }
                }
            }
        }
    }

    /** Of the collections and indexes that there are. */
    private static Set<Integer> numbers(Snapshot snapshot) {
        Set<Integer> numbers = new HashSet<>();
        try (Scan scan = snapshot.scan(Table.CATALOG, KeyRange.ALL, false)) {
            while (scan.next()) {
                if (scan.key()[0] == 'B') {
                    numbers.add(ByteBuffer.wrap(scan.key(), 1, Integer.BYTES).getInt());
                } else if (scan.key()[0] == 'C') {
                    RawDocument entry = RawDocument.of(scan.value());
                    Stream.concat(Stream.of(entry), documents(entry, "indexes").stream())
                            .flatMap(each -> Stream.of("number", "order").map(each::get))
                            .forEach(each -> {
                                if (each instanceof Value.Int32(int number)) {
                                    numbers.add(number);
                                }
                            });
                }
            }
        }
        return numbers;
    }

    private void addAnswers() {
        add("admin", "{listDatabases: 1}");
        RawDocument status = run("admin", "{serverStatus: 1}");
        entries.put("catalog memory", text(status, "memoryAccount", "parts", "catalog", "used"));
        entries.put("token bytes", text(status, "semel", "onceBytes"));
        for (RawDocument database : documents(run("admin", "{listDatabases: 1, nameOnly: true}"), "databases")) {
            addDatabase(string(database, "name"));
        }
    }

    private void addDatabase(String database) {
        add(database, "{dbStats: 1}");
        add(database, "{dbHash: 1}");
        add(database, "{listCollections: 1, cursor: {batchSize: 1000}}");
        RawDocument list = run(database, "{listCollections: 1, cursor: {batchSize: 1000}}");
        for (RawDocument each : documents(inner(list, "cursor"), "firstBatch")) {
            if (!string(each, "name").startsWith("oplog")) {
                addCollection(database, string(each, "name"), string(each, "type"));
            }
        }
    }

    private void addCollection(String database, String name, String type) {
        add(database, "{count: '%s'}".formatted(name));
        add(database, "{find: '%s', batchSize: 10000}".formatted(name));
        if (type.equals("view")) {
            return;
        }
        add(database, "{collStats: '%s'}".formatted(name));
        add(database, "{listIndexes: '%s'}".formatted(name));
        RawDocument validation = run(database, "{validate: '%s', full: true}".formatted(name));
        assertThat(validation.get("valid")).as("%s", validation).isEqualTo(Value.TRUE);
        put(database, "validate " + name, validation);
        for (String filter : FILTERS) {
            String query = "{count: '%s', query: %s}".formatted(name, filter);
            add(database, query);
            explain(database, query);
            for (String form : FORMS) {
                String find = "{find: '%s', filter: %s%s}".formatted(name, filter, form);
                explain(database, find);
                add(database, find);
            }
        }
    }

    private void explain(String database, String command) {
        RawDocument reply = run(database, "{explain: %s, verbosity: 'queryPlanner'}".formatted(command));
        RawDocument plan = inner(inner(reply, "queryPlanner"), "winningPlan");
        entries.put("explain " + database + " " + command, Shell.text(stripped(plan)));
    }

    private void add(String database, String command) {
        put(database, command, run(database, command));
    }

    private void put(String database, String what, RawDocument reply) {
        entries.put("answer " + database + " " + what, Shell.text(stripped(reply)));
    }

    private RawDocument run(String database, String command) {
        return connection.run(new BsonWriter()
                .copyAll(Unquoted.document(command))
                .put("$readPreference", ANY_MEMBER)
                .put("$db", database)
                .finish());
    }

    // ---- parts of replies

    /** Without what differs from node to node. */
    static RawDocument stripped(RawDocument reply) {
        BsonWriter out = new BsonWriter();
        for (var at = reply.cursor(); at.next(); ) {
            if (at.name().equals("databases")) {
                out.startArray(at.name());
                documents(reply, at.name()).forEach(each -> out.add(stripped(each)));
                out.end();
            } else if (!LEFT_OUT.contains(at.name())) {
                out.copy(at);
            }
        }
        return out.finish();
    }

    static List<RawDocument> documents(RawDocument of, String field) {
        List<RawDocument> found = new ArrayList<>();
        if (of.get(field) instanceof Value.Array(RawDocument elements)) {
            for (var at = elements.cursor(); at.next(); ) {
                if (at.value() instanceof Value.Doc(RawDocument each)) {
                    found.add(each);
                }
            }
        }
        return found;
    }

    static RawDocument inner(RawDocument of, String field) {
        if (of.get(field) instanceof Value.Doc(RawDocument found)) {
            return found;
        }
        throw new AssertionError("no '" + field + "' in " + of);
    }

    private static String string(RawDocument of, String field) {
        if (of.get(field) instanceof Value.Str(var found)) {
            return found.toString();
        }
        throw new AssertionError("no '" + field + "' in " + of);
    }

    private static String text(RawDocument of, String... path) {
        RawDocument at = of;
        for (int i = 0; i < path.length - 1; i++) {
            at = inner(at, path[i]);
        }
        Value found = at.get(path[path.length - 1]);
        if (found == null) {
            throw new AssertionError("no '" + String.join(".", path) + "' in " + of);
        }
        return Shell.text(found);
    }

    // ---- comparison

    /** Where the two differ; empty if they are the same. */
    List<String> differences(NodePicture other) {
        List<String> differences = new ArrayList<>();
        entries.forEach((what, here) -> {
            String there = other.entries.get(what);
            if (!here.equals(there)) {
                differences.add(what + "\n  here:  " + here + "\n  there: " + there);
            }
        });
        other.entries.forEach((what, there) -> {
            if (!entries.containsKey(what)) {
                differences.add(what + "\n  only there: " + there);
            }
        });
        return differences;
    }

    /**
     * The same where the other is a primary. A transaction that came to nothing may have put an array into an index, and
     * plans of that primary still allow for it: such plans may be weaker than here. An open transaction has its memory
     * there.
     */
    List<String> differencesFromPrimary(NodePicture primary, boolean hasOpenTransactions) {
        return differences(primary).stream()
                .filter(each -> !isWeakerThere(each))
                .filter(each -> !hasOpenTransactions || !each.startsWith("catalog memory"))
                .toList();
    }

    private static boolean isWeakerThere(String difference) {
        return difference.startsWith("explain ")
                && difference.substring(difference.indexOf("\n  there: ")).contains("isMultiKey: true")
                && difference.contains("isMultiKey: false");
    }

    /** Without what an engine does not lay out alike, or a close changes. */
    NodePicture without(String beginning) {
        NodePicture less = new NodePicture(connection);
        entries.forEach((what, text) -> {
            if (!what.startsWith(beginning)) {
                less.entries.put(what, text);
            }
        });
        return less;
    }

    int size() {
        return entries.size();
    }
}
