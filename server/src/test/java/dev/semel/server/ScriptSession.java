package dev.semel.server;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import dev.semel.wire.scram.ScramHash;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;

/**
 * Runs the commands of one script on its own server and prints the replies. An input is a command as shells write
 * it, after the name of a database if that is not {@code test}. {@code CURSOR} stands for the cursor that a reply has
 * left open last, a capital letter for a session. What differs from run to run is masked.
 *
 * <p>{@code @b} before an input sends it on a connection of that name. {@code @b&} does not wait for the answer if the
 * command has to wait for a lock; {@code @b join} does, later. {@code @b close} closes the connection. {@code @b login user
 * password}, with a mechanism and a database behind it if need be, logs in there; access control is for these connections
 * only.
 */
final class ScriptSession implements Function<String, String>, AutoCloseable {
    /** Of every reply, and of no interest here. */
    private static final Set<String> LEFT_OUT = Set.of("$clusterTime", "operationTime");

    /** Values that nobody can know beforehand. */
    private static final Set<String> MASKED = Set.of(
            "uuid",
            "executionTimeMillis",
            "executionTimeMillisEstimate",
            "memLimit",
            "optimizationTimeMillis",
            "localTime",
            "localUpdateWallClockTime",
            "updateOpTime",
            "updateWallClockTime",
            "connectionId",
            "processId",
            "date",
            "opid",
            "host",
            "microsecs_running",
            "millis",
            "readTimestamp",
            "startWallClockTime",
            "timeOpenMicros",
            "timeActiveMicros",
            "timeInactiveMicros",
            "expiryTime",
            "currentOpTime",
            "ts",
            "wall",
            "ui",
            "_data",
            "clusterTime",
            "wallTime",
            "collectionUUID",
            "dropTarget",
            "lastWriteDate",
            "txnid",
            "requestingTxnid",
            "blockingTxnid",
            "rootTxnid",
            "started",
            "userId",
            "salt",
            "storedKey",
            "serverKey",
            "payload");

    private static final Pattern QUOTED = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'");
    private static final Pattern SESSION = Pattern.compile("\\b([A-Z])\\b(?!\\s*:)");
    private static final Pattern OBJECT_ID = Pattern.compile("ObjectId\\('[0-9a-f]{24}'\\)");

    private final Server server;
    private final LocalConnection connection;
    private final Map<String, ScriptConnection> others = new TreeMap<>();
    private final Map<String, String> objectIds = new LinkedHashMap<>();
    private String inputs = "";
    private long cursor;

    ScriptSession(ServerOptions options) {
        try {
            server = Server.start(options.inProcess());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connection = server.connect();
    }

    @Override
    public String apply(String input) {
        inputs += input;
        if (input.startsWith("@")) {
            return onOther(input.substring(1));
        }
        return print(connection.run(command(input)));
    }

    private String onOther(String input) {
        int space = input.indexOf(' ');
        String name = input.substring(0, space).replace("&", "");
        String rest = input.substring(space + 1);
        ScriptConnection other = others.computeIfAbsent(name, fresh -> new ScriptConnection(server.connectAsClient()));
        if (rest.equals("join")) {
            return print(other.join());
        }
        if (rest.equals("close")) {
            other.close();
            others.remove(name);
            return "closed";
        }
        if (rest.startsWith("login ")) {
            return print(login(other, rest.split(" ")));
        }
        other.start(command(rest));
        if (!input.substring(0, space).endsWith("&")) {
            return print(other.join());
        }
        return awaitsLock(other) ? "waits" : print(other.join());
    }

    private static RawDocument login(ScriptConnection on, String[] words) {
        ScramHash hash =
                ScramHash.named(words.length > 3 ? words[3] : "SCRAM-SHA-256").orElseThrow();
        return on.login(hash, words.length > 4 ? words[4] : "admin", words[1], words[2]);
    }

    /** Whether it has come to wait for a lock, beside those that already did. */
    private boolean awaitsLock(ScriptConnection other) {
        long running =
                others.values().stream().filter(ScriptConnection::isRunning).count();
        return other.runsUntil(() -> pendingLocks() >= running);
    }

    private int pendingLocks() {
        RawDocument reply = connection.run(command("admin {showPendingLockRequests: 1}"));
        return reply.get("requests") instanceof Value.Array(RawDocument requests) ? requests.size() : 0;
    }

    private RawDocument command(String input) {
        int brace = input.indexOf('{');
        String database = input.substring(0, brace).isBlank()
                ? "test"
                : input.substring(0, brace).strip();
        BsonDocument command = BsonDocument.parse(expand(input.substring(brace)));
        command.put("$db", new org.bson.BsonString(database));
        var bytes = new RawBsonDocument(command, new BsonDocumentCodec())
                .getByteBuffer()
                .asNIO();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawDocument.of(copy);
    }

    /** Names of cursors and sessions, which are no JSON, become values; what is quoted stays. */
    private String expand(String json) {
        StringBuilder out = new StringBuilder();
        Matcher quoted = QUOTED.matcher(json);
        int at = 0;
        while (quoted.find()) {
            out.append(expandUnquoted(json.substring(at, quoted.start()))).append(quoted.group());
            at = quoted.end();
        }
        return out.append(expandUnquoted(json.substring(at))).toString();
    }

    private String expandUnquoted(String json) {
        String withCursor = json.replace("CURSOR", "NumberLong(\"" + cursor + "\")");
        return SESSION.matcher(withCursor)
                .replaceAll(each -> "{id: UUID(\"%08x-0000-4000-8000-000000000000\")}"
                        .formatted((int) each.group(1).charAt(0)));
    }

    /** The reply in one line; the documents of a batch in a line each, for a diff to be read. */
    private String print(RawDocument reply) {
        StringBuilder documents = new StringBuilder();
        BsonWriter out = new BsonWriter();
        for (var at = reply.cursor(); at.next(); ) {
            if (LEFT_OUT.contains(at.name())) {
                continue;
            }
            if (at.name().equals("cursor") && at.value() instanceof Value.Doc(RawDocument fields)) {
                out.startDocument("cursor");
                printCursor(fields, out, documents);
                out.end();
            } else {
                out.copy(at);
            }
        }
        return masked(Shell.text(out.finish()) + documents);
    }

    private void printCursor(RawDocument fields, BsonWriter out, StringBuilder documents) {
        for (var at = fields.cursor(); at.next(); ) {
            if (at.name().endsWith("Batch") && at.value() instanceof Value.Array(RawDocument batch)) {
                out.put(at.name(), batch.size());
                for (var each = batch.cursor(); each.next(); ) {
                    documents.append('\n').append(Shell.text(each.value()));
                }
            } else if (at.name().equals("id") && at.type() == BsonType.INT64) {
                long id = at.value() instanceof Value.Int64(long number) ? number : 0;
                if (id == 0) {
                    out.put("id", 0);
                } else {
                    cursor = id;
                    out.put("id", "CURSOR");
                }
            } else {
                out.copy(at);
            }
        }
    }

    private String masked(String text) {
        String masked = text;
        for (String name : MASKED) {
            masked = masked.replaceAll(
                    "\\b" + name + ": (\\\\?\"[^\"]*\"|[A-Za-z ]*\\([^)]*\\)|[-0-9.]+)", name + ": ...");
        }
        masked = masked.replaceAll(
                "serverInfo: \\{[^}]*}, serverParameters: \\{[^}]*}", "serverInfo: ..., serverParameters: ...");
        if (cursor != 0) {
            masked = masked.replace(Long.toString(cursor), "CURSOR");
        }
        // Ids that the server has made are numbered in the order in which they appear.
        masked = masked.replaceAll("by transactions \\[[0-9, ]*]", "by transactions [...]");
        return OBJECT_ID.matcher(masked).replaceAll(each -> {
            String id = each.group();
            return inputs.contains(id.substring(10, 34))
                    ? id
                    : objectIds.computeIfAbsent(id, fresh -> "ObjectId(" + (objectIds.size() + 1) + ")");
        });
    }

    @Override
    public void close() {
        others.values().forEach(ScriptConnection::close);
        connection.close();
        server.close();
    }
}
