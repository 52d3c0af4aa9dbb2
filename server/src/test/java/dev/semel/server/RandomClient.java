package dev.semel.server;

import dev.semel.server.session.SessionId;
import dev.semel.server.statement.Unquoted;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/** One connection with a session that does at random whatever changes something, in both dialects. Used by one thread. */
final class RandomClient implements AutoCloseable {
    private static final List<String> DATABASES = List.of("d", "e", "d", "e", "local");
    private static final List<String> NAMES = List.of("a", "b", "c", "log");

    /** For locks of the other clients, which have their turn later. */
    private static final int WAIT_MAX_MS = 40;

    private final LocalConnection connection;
    private final Random random;
    private RawDocument session;
    private long number;
    private Open open = Open.NOTHING;

    /** Whose answers must be the same for ever: they were sent with a number or a token, and have happened. */
    private final List<Sent> kept = new ArrayList<>();

    /** How often each command has succeeded. */
    private final Map<String, Integer> succeeded = new TreeMap<>();

    /** The kinds of transaction. */
    private enum Open {
        NOTHING,
        TOKUMX,
        SESSION
    }

    /** A command and what came of it. */
    record Sent(RawDocument command, RawDocument reply) {}

    RandomClient(Server server, Random random) {
        this.connection = server.connect();
        this.random = random;
        this.session = freshSession();
        run("admin", "{setClientLockTimeout: 1}");
    }

    private RawDocument freshSession() {
        byte[] id = ByteBuffer.allocate(16)
                .putLong(random.nextLong())
                .putLong(random.nextLong())
                .array();
        return new BsonWriter().put("id", new Value.Binary((byte) 4, id)).finish();
    }

    /** Without those of a session in a transaction: there they would belong to that. */
    List<Sent> kept() {
        return kept.stream()
                .filter(each -> open == Open.NOTHING
                        || !new Value.Doc(session).equals(each.command().get("lsid")))
                .toList();
    }

    Map<String, Integer> succeeded() {
        return succeeded;
    }

    SessionId session() {
        return SessionId.parse(session, "lsid");
    }

    boolean isInTokumx() {
        return open == Open.TOKUMX;
    }

    /** The next write of the session, with its next number. */
    RawDocument nextNumbered() {
        return numbered("d", "{insert: 'a', documents: [{k: 1}]}");
    }

    void step() {
        if (open != Open.NOTHING) {
            insideStep();
            return;
        }
        switch (random.nextInt(40)) {
            case 0, 1, 2 -> begin(Open.TOKUMX);
            case 3, 4, 5 -> begin(Open.SESSION);
            case 6, 7, 8, 9, 10, 11 -> keep(numbered(database(), write()));
            case 12, 13, 14 -> keep(tokened(database(), write()));
            case 15 -> outcome();
            case 16 -> resend();
            case 17 -> session = freshSession();
            case 18, 19, 20, 21 -> run(database(), index());
            case 22, 23, 24 -> definition();
            case 25 ->
                run(
                        database(),
                        "{aggregate: '%s', pipeline: [{$match: {k: {$gte: %d}}}, {$out: '%s'}], cursor: {}}"
                                .formatted(name(), number(5), name()));
            case 26 ->
                run(
                        database(),
                        ("{aggregate: '%s', pipeline: [{$set: {k: %d}}, {$merge: {into: '%s'}}], cursor:" + " {}}")
                                .formatted(name(), number(5), name()));
            case 27 -> run("admin", bulkWrite());
            case 28 -> run(database(), "{insert: 'log', documents: [%s, %s]}".formatted(document(), document()));
            default -> run(database(), write());
        }
    }

    // ---- transactions

    private void begin(Open kind) {
        if (kind == Open.SESSION) {
            number++;
            open = kind;
            RawDocument first = send(
                    database(),
                    write(),
                    out -> withNumber(out).put("autocommit", false).put("startTransaction", true));
            settle(first);
            return;
        }
        String isolation = random.nextInt(3) == 0 ? "serializable" : "mvcc";
        RawDocument reply = send(
                "admin",
                "{beginTransaction: 1, isolation: '%s'}".formatted(isolation),
                out -> out.put("lsid", session));
        open = isOk(reply) ? Open.TOKUMX : Open.NOTHING;
    }

    private void insideStep() {
        if (random.nextInt(4) == 0) {
            end(random.nextInt(3) > 0);
            return;
        }
        String database = DATABASES.get(random.nextInt(2));
        String command = switch (random.nextInt(open == Open.TOKUMX ? 10 : 7)) {
            case 0 -> "{create: '%s'}".formatted(name());
            case 7, 8 -> index();
            case 9 -> "{drop: '%s'}".formatted(name());
            default -> write();
        };
        settle(
                open == Open.SESSION
                        ? send(database, command, out -> withNumber(out).put("autocommit", false))
                        : random.nextBoolean() && retryable(command)
                                ? send(numbered(database, command))
                                : send(database, command, out -> out.put("lsid", session)));
    }

    /** Some errors end a transaction. */
    private void settle(RawDocument reply) {
        if (open == Open.SESSION && !isOk(reply)) {
            open = Open.NOTHING;
        }
    }

    void end(boolean commit) {
        if (open == Open.SESSION) {
            send(
                    "admin",
                    commit ? "{commitTransaction: 1}" : "{abortTransaction: 1}",
                    out -> withNumber(out).put("autocommit", false));
        } else if (open == Open.TOKUMX) {
            send(
                    "admin",
                    commit ? "{commitTransaction: 1}" : "{rollbackTransaction: 1}",
                    out -> out.put("lsid", session));
        }
        open = Open.NOTHING;
    }

    // ---- writes that can be sent again

    private RawDocument numbered(String database, String command) {
        number++;
        return withNumber(new BsonWriter().copyAll(Unquoted.document(command)))
                .put("$db", database)
                .finish();
    }

    private BsonWriter withNumber(BsonWriter out) {
        return out.put("lsid", session).put("txnNumber", number);
    }

    private RawDocument tokened(String database, String command) {
        return new BsonWriter()
                .copyAll(Unquoted.document(command))
                .startDocument("comment")
                .put("once", "t" + random.nextLong())
                .end()
                .put("$db", database)
                .finish();
    }

    /** Those with several documents in one statement cannot be retried by number. */
    private static boolean retryable(String command) {
        return (command.startsWith("{insert") || command.startsWith("{update") || command.startsWith("{delete"))
                && !command.contains("multi: true")
                && !command.contains("limit: 0");
    }

    private void keep(RawDocument command) {
        RawDocument reply = send(command);
        if (isOk(reply) && !reply.has("writeErrors")) {
            kept.add(new Sent(command, reply));
        }
    }

    private void resend() {
        if (!kept.isEmpty()) {
            send(kept.get(random.nextInt(kept.size())).command());
        }
    }

    /** Also of what has never been sent, which is a fence. */
    private void outcome() {
        if (random.nextBoolean()) {
            run("admin", "{writeOutcome: {once: 't%d'}}".formatted(random.nextInt()));
            return;
        }
        number++;
        send(new BsonWriter()
                .startDocument("writeOutcome")
                .put("lsid", session)
                .put("txnNumber", number)
                .end()
                .put("$db", "admin")
                .finish());
    }

    // ---- what is written

    private String database() {
        return DATABASES.get(random.nextInt(DATABASES.size()));
    }

    private String name() {
        return NAMES.get(random.nextInt(NAMES.size()));
    }

    private int number(int bound) {
        return random.nextInt(bound);
    }

    private String document() {
        String array = switch (random.nextInt(6)) {
            case 0 -> ", m: [%d, %d]".formatted(number(5), number(5));
            case 1 -> ", s: [{x: %d}, {x: [%d, 2]}]".formatted(number(5), number(5));
            case 2 -> ", s: {x: %d}, m: %d".formatted(number(5), number(5));
            default -> ", m: %d".formatted(number(5));
        };
        return "{_id: %d, k: %d, u: %d, p: %b, text: '%s'%s}"
                .formatted(number(80), number(5), number(1000), random.nextBoolean(), "x".repeat(number(60)), array);
    }

    private String write() {
        String name = name();
        return switch (random.nextInt(10)) {
            case 0, 1 ->
                "{insert: '%s', ordered: %b, documents: [%s, %s, %s]}"
                        .formatted(name, random.nextBoolean(), document(), document(), document());
            case 2 -> "{insert: '%s', documents: [%s]}".formatted(name, document());
            case 3 ->
                "{update: '%s', updates: [{q: {_id: %d}, u: {$inc: {k: 1}, $set: {z: %d}}, upsert: true}]}"
                        .formatted(name, number(80), number(100));
            case 4 ->
                "{update: '%s', updates: [{q: {k: %d}, u: {$inc: {n: 1}}, multi: true}]}".formatted(name, number(5));
            case 5 ->
                "{update: '%s', updates: [{q: {_id: %d}, u: {$set: {m: [%d, [1]]}}}, {q: {_id: %d}, u: {$unset: {m: 1, s: 1}}}]}"
                        .formatted(name, number(80), number(5), number(80));
            case 6 -> "{delete: '%s', deletes: [{q: {_id: %d}, limit: 1}]}".formatted(name, number(80));
            case 7 -> "{delete: '%s', deletes: [{q: {k: %d, p: true}, limit: 0}]}".formatted(name, number(9));
            case 8 ->
                "{findAndModify: '%s', query: {k: %d}, update: {$set: {f: %d}}, new: %b, upsert: true}"
                        .formatted(name, number(5), number(9), random.nextBoolean());
            default -> "{findAndModify: '%s', query: {_id: %d}, remove: true}".formatted(name, number(80));
        };
    }

    private String bulkWrite() {
        return ("{bulkWrite: 1, ordered: false, ops: [{insert: 0, document: %s}, {update: 1, filter: {k: %d},"
                        + " updateMods: {$inc: {n: 1}}, multi: true}, {delete: 0, filter: {_id: %d}}], nsInfo: [{ns:"
                        + " 'd.%s'}, {ns: 'e.%s'}]}")
                .formatted(document(), number(5), number(80), name(), name());
    }

    // ---- definitions

    private String index() {
        String name = name();
        return switch (random.nextInt(8)) {
            case 0 ->
                "{createIndexes: '%s', indexes: [{key: {m: 1}, name: 'm'}, {key: {k: 1}, name: 'k'}]}".formatted(name);
            case 1 -> "{createIndexes: '%s', indexes: [{key: {'s.x': 1, k: -1}, name: 's'}]}".formatted(name);
            case 2 -> "{createIndexes: '%s', indexes: [{key: {u: 1}, name: 'u', unique: true}]}".formatted(name);
            case 3 ->
                "{createIndexes: '%s', indexes: [{key: {k: 1, m: 1}, name: 'p', partialFilterExpression: {p: true}}]}"
                        .formatted(name);
            case 4 ->
                "{createIndexes: '%s', indexes: [{key: {z: 1}, name: 'z', sparse: true, hidden: %b}]}"
                        .formatted(name, random.nextBoolean());
            case 5 -> "{dropIndexes: '%s', index: '%s'}".formatted(name, random.nextBoolean() ? "m" : "p");
            case 6 -> "{dropIndexes: '%s', index: '*'}".formatted(name);
            default -> "{collMod: '%s', index: {name: 'k', hidden: %b}}".formatted(name, random.nextBoolean());
        };
    }

    private void definition() {
        String database = database();
        String name = name();
        switch (random.nextInt(12)) {
            case 0 -> run(database, "{create: 'log', capped: true, size: 4096, max: 20}");
            case 1 ->
                run(database, "{create: '%s', validator: {k: {$lt: 5}}, validationLevel: 'moderate'}".formatted(name));
            case 2 -> run(database, "{create: 'v', viewOn: '%s', pipeline: [{$match: {k: 1}}]}".formatted(name));
            case 3 -> run(database, "{drop: '%s'}".formatted(random.nextBoolean() ? "v" : name));
            case 4 ->
                run(
                        "admin",
                        "{renameCollection: '%s.%s', to: '%s.%s', dropTarget: %b}"
                                .formatted(database, name, database, name(), random.nextBoolean()));
            case 5 -> run(database, "{collMod: '%s', validator: {k: {$lte: %d}}}".formatted(name, 3 + number(4)));
            case 6 ->
                run(
                        database,
                        "{collMod: '%s', changeStreamPreAndPostImages: {enabled: %b}}"
                                .formatted(name, random.nextBoolean()));
            case 7 -> run(database, "{create: '%s', collation: {locale: 'en', strength: 2}}".formatted(name));
            case 8 -> run(database, "{create: 'series', timeseries: {timeField: 't'}}");
            case 9 -> {
                if (random.nextInt(4) == 0 && !database.equals("local")) {
                    run(database, "{dropDatabase: 1}");
                }
            }
            case 10 -> run(database, "{collMod: 'log', cappedSize: %d}".formatted(2048 + number(4000)));
            default -> run(database, "{create: '%s'}".formatted(name));
        }
    }

    // ---- commands

    /** Adds what is not written as text. */
    private interface More {
        BsonWriter to(BsonWriter command);
    }

    private RawDocument run(String database, String command) {
        return send(database, command, out -> out);
    }

    private RawDocument send(String database, String command, More more) {
        BsonWriter out = new BsonWriter().copyAll(Unquoted.document(command));
        return send(more.to(out).put("$db", database).finish());
    }

    private RawDocument send(RawDocument command) {
        RawDocument reply = connection.run(
                open == Open.NOTHING
                        ? new BsonWriter()
                                .copyAll(command)
                                .put("maxTimeMS", WAIT_MAX_MS)
                                .finish()
                        : command);
        if (isOk(reply) && !reply.has("writeErrors")) {
            succeeded.merge(Objects.requireNonNull(command.first()).name(), 1, Integer::sum);
        }
        return reply;
    }

    static boolean isOk(RawDocument reply) {
        return Value.of(1.0).equals(reply.get("ok"));
    }

    @Override
    public void close() {
        connection.close();
    }
}
