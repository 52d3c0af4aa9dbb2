package dev.semel.server.command;

import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Describes what runs, one document per operation, for {@code currentOp} and {@code $currentOp}. */
public final class RunningOperations {
    private static final Set<String> NAMED_BY_THEMSELVES = Set.of("insert", "update", "getMore", "killCursors");

    private final Clients clients;
    private final InstantSource clock;
    private final String host;

    /** The host as {@code host:port}. */
    public RunningOperations(Clients clients, InstantSource clock, String host) {
        this.clients = clients;
        this.clock = clock;
        this.host = host;
    }

    /** Those that run now; on request also the connections that wait for their client. */
    public List<RawDocument> describe(boolean idleConnections) {
        Instant now = clock.instant();
        List<RawDocument> operations = new ArrayList<>();
        for (Client client : clients.all()) {
            Call call = client.current();
            if (call != null || idleConnections) {
                BsonWriter out = new BsonWriter()
                        .put("type", "op")
                        .put("host", host)
                        .put("desc", client.description())
                        .put("connectionId", client.connectionId())
                        .put("client", client.remote());
                if (!client.appName().isEmpty()) {
                    out.put("appName", client.appName());
                }
                RawDocument metadata = client.metadata();
                if (metadata != null) {
                    out.put("clientMetadata", metadata);
                }
                out.put("active", call != null).put("currentOpTime", DateTimeFormatter.ISO_INSTANT.format(now));
                if (call != null) {
                    describe(call, out);
                }
                operations.add(out.finish());
            }
        }
        return operations;
    }

    private static void describe(Call call, BsonWriter out) {
        long nanos = call.elapsedNanos();
        out.put("opid", call.operationId())
                .put("secs_running", TimeUnit.NANOSECONDS.toSeconds(nanos))
                .put("microsecs_running", TimeUnit.NANOSECONDS.toMicros(nanos))
                .put("op", kind(call))
                .put("ns", namespace(call))
                .put("command", call.command());
        if (call.session() != null) {
            out.put("lsid", call.session().id().toDocument());
        }
        if (!call.planSummary().isEmpty()) {
            out.put("planSummary", call.planSummary());
        }
        Value comment = call.comment();
        if (comment != null) {
            out.put("comment", comment);
        }
        out.put("killPending", call.isKilled());
    }

    private static String kind(Call call) {
        String name = call.spec().name();
        return switch (name) {
            case "find" -> "query";
            case "delete" -> "remove";
            default -> NAMED_BY_THEMSELVES.contains(name) ? name.toLowerCase(Locale.ROOT) : "command";
        };
    }

    private static String namespace(Call call) {
        Namespace namespace = call.namespace();
        return namespace == null ? call.database() + ".$cmd" : namespace.toString();
    }
}
