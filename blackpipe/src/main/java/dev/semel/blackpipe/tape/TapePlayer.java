package dev.semel.blackpipe.tape;

import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.blackpipe.script.Exchange;
import dev.semel.blackpipe.script.Identity;
import dev.semel.blackpipe.script.ScriptedServer;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonDocuments;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Replays recorded traffic without its server. Each request gets the reply of the first equal request on the tape that
 * has not been played yet; fields that differ from run to run, such as sessions and times, are not compared. If the
 * client got no reply, it gets none again: the connection is closed or stalls.
 */
public final class TapePlayer implements AutoCloseable {
    private static final int NO_SUCH_REQUEST = 8;

    /** Differ in every run. */
    private static final Set<String> OF_ONE_RUN =
            Set.of("lsid", "$clusterTime", "txnNumber", "$db", "$readPreference", "maxTimeMS", "apiVersion");

    private final ScriptedServer server;
    private final List<Entry> entries;
    private final ReentrantLock lock = new ReentrantLock();

    private record Entry(RawDocument request, @Nullable RawDocument reply, String fault) {}

    private TapePlayer(ScriptedServer server, List<Entry> entries) {
        this.server = server;
        this.entries = entries;
    }

    /** On this port, 0 for a free one. An {@link IllegalArgumentException} says which line is not valid. */
    public static TapePlayer start(Path file, int port) throws IOException {
        List<Entry> entries = new ArrayList<>();
        @Nullable String set = null;
        try (var in = Files.newBufferedReader(file)) {
            JsonDocuments lines = JsonDocuments.of(in);
            for (RawDocument line = lines.next(); line != null; line = lines.next()) {
                Entry entry = entry(line, file + ", line " + lines.line());
                if (entry.reply() != null && entry.reply().get("setName") instanceof Value.Str(var name)) {
                    set = name.toString();
                }
                entries.add(entry);
            }
        } catch (JsonException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
        ScriptedServer server = ScriptedServer.start(port);
        Identity identity = server.identity();
        server.announce(set == null ? identity.as(Identity.Standing.STANDALONE) : identity.inSet(set));
        TapePlayer player = new TapePlayer(server, entries);
        server.handingEveryRequestTo(player::play);
        return player;
    }

    private static Entry entry(RawDocument line, String where) {
        if (!(line.get("request") instanceof Value.Doc(RawDocument request))) {
            throw new IllegalArgumentException(where + ": no line of a tape, which would have a 'request'");
        }
        RawDocument reply = line.get("reply") instanceof Value.Doc(RawDocument found) ? found : null;
        String fault = line.get("fault") instanceof Value.Str(var text) ? text.toString() : "";
        return new Entry(request, reply, fault);
    }

    public String uri() {
        return server.uri();
    }

    /** The number of recorded requests that have not been replayed, without handshakes. */
    public long left() {
        lock.lock();
        try {
            return entries.stream().filter(each -> !isHandshake(each.request())).count();
        } finally {
            lock.unlock();
        }
    }

    private static boolean isHandshake(RawDocument request) {
        var first = request.first();
        return first != null
                && Set.of("hello", "isMaster", "ismaster", "ping", "endSessions")
                        .contains(first.name());
    }

    private void play(Exchange exchange) {
        Entry entry = take(exchange.request());
        if (entry == null) {
            exchange.reply(Replies.error(
                    NO_SUCH_REQUEST,
                    "the tape has no further " + exchange.request().name() + " on "
                            + exchange.request().namespace() + " that says the same",
                    List.of()));
        } else if (entry.reply() != null) {
            exchange.reply(entry.reply());
        } else if (entry.fault().contains("stall")) {
            exchange.stall();
        } else if (entry.fault().contains("reset")) {
            exchange.reset();
        } else {
            exchange.hangUp();
        }
    }

    private @Nullable Entry take(Request request) {
        String wanted = essence(request.document());
        lock.lock();
        try {
            for (Entry each : entries) {
                if (essence(each.request()).equals(wanted) && sameDatabase(each, request)) {
                    entries.remove(each);
                    return each;
                }
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    private static boolean sameDatabase(Entry entry, Request request) {
        return !(entry.request().get("$db") instanceof Value.Str(var name))
                || name.toString().equals(request.database());
    }

    private static String essence(RawDocument request) {
        BsonWriter rest = new BsonWriter();
        for (var at = request.cursor(); at.next(); ) {
            if (!OF_ONE_RUN.contains(at.name())) {
                rest.copy(at);
            }
        }
        return Json.canonical(rest.finish());
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
