package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.DrivenSession;
import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.subject.Subject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** The entities of a case, by their ids. */
final class Entities implements AutoCloseable {
    /** A direct connection has one host. */
    private static final Pattern OTHER_HOSTS = Pattern.compile(",[^/]*");

    private final Driver driver;
    private final Subject subject;

    /** A {@link ClientEntity}, {@link Driven}, {@link BsonValue} or {@link ThreadEntity}. */
    private final Map<String, Object> byId = new LinkedHashMap<>();

    private final IdentityHashMap<DrivenSession, BsonDocument> lsids = new IdentityHashMap<>();

    Entities(Driver driver, Subject subject) {
        this.driver = driver;
        this.subject = subject;
    }

    // ---- made from the data

    void create(BsonDocument entity) throws InterruptedException {
        String kind = entity.getFirstKey();
        BsonDocument definition = entity.getDocument(kind);
        String id = text(definition, "id");
        switch (kind) {
            case "client" -> client(id, definition);
            case "database" ->
                put(
                        id,
                        client(text(definition, "client"))
                                .driven()
                                .create("database", text(definition, "databaseName"), options(definition, kind)));
            case "collection" ->
                put(
                        id,
                        driven(text(definition, "database"))
                                .create("collection", text(definition, "collectionName"), options(definition, kind)));
            case "bucket" ->
                put(id, driven(text(definition, "database")).create("bucket", "", options(definition, kind)));
            case "session" -> {
                Driven session = client(text(definition, "client"))
                        .driven()
                        .create("session", "", sessionOptions(options(definition, kind)));
                put(id, session);
                if (session instanceof DrivenSession made) {
                    lsids.put(made, made.lsid());
                }
            }
            case "thread" -> put(id, new ThreadEntity(id));
            default -> throw new Unsupported(kind + " entities");
        }
    }

    private void client(String id, BsonDocument definition) throws InterruptedException {
        if (definition.containsKey("autoEncryptOpts")) {
            throw new Unsupported("client-side encryption");
        }
        BsonDocument uriOptions = definition.getDocument("uriOptions", new BsonDocument());
        ClientEntity client = new ClientEntity(definition);
        BsonDocument api = definition.containsKey("serverApi") ? definition.getDocument("serverApi") : null;
        client.is(driver.open(
                new ClientOptions(
                        uri(uriOptions), api, client.wantsLogs(), uriOptions.containsKey("heartbeatFrequencyMS")),
                client));
        put(id, client);
        BsonValue wait = definition.get("awaitMinPoolSizeMS");
        if (wait != null) {
            client.awaitConnections(
                    uriOptions.getNumber("minPoolSize").intValue(),
                    wait.asNumber().longValue());
        }
    }

    private String uri(BsonDocument options) {
        boolean isDirect =
                options.getBoolean("directConnection", BsonBoolean.FALSE).getValue();
        StringBuilder uri =
                new StringBuilder(isDirect ? OTHER_HOSTS.matcher(subject.uri()).replaceFirst("") : subject.uri());
        if (uri.indexOf("?") < 0) {
            uri.append('?');
        }
        options.forEach((name, value) -> uri.append('&')
                .append(name)
                .append('=')
                .append(URLEncoder.encode(plain(value), StandardCharsets.UTF_8)));
        return uri.toString().replace("?&", "?");
    }

    private static String plain(BsonValue value) {
        return switch (value.getBsonType()) {
            case STRING -> value.asString().getValue();
            case BOOLEAN -> String.valueOf(value.asBoolean().getValue());
            case INT32, INT64, DOUBLE -> String.valueOf(value.asNumber().longValue());
            default -> throw new Unsupported("the URI option " + value);
        };
    }

    private static BsonDocument options(BsonDocument definition, String kind) {
        return definition.getDocument(kind + "Options", new BsonDocument());
    }

    /** The time of a snapshot is named by the entity that has it. */
    private BsonDocument sessionOptions(BsonDocument options) {
        if (!options.containsKey("snapshotTime")) {
            return options;
        }
        BsonDocument resolved = options.clone();
        resolved.put("snapshotTime", value(text(options, "snapshotTime")));
        return resolved;
    }

    private static String text(BsonDocument definition, String name) {
        BsonValue value = definition.get(name);
        if (!(value instanceof BsonString string)) {
            throw new IllegalStateException("'" + name + "' is missing in " + definition.toJson());
        }
        return string.getValue();
    }

    // ---- by id

    void put(String id, Object entity) {
        if (byId.putIfAbsent(id, entity) != null) {
            throw new IllegalStateException("there is already an entity '" + id + "'");
        }
    }

    /** Adds to a list that a loop keeps. */
    void append(String id, BsonValue value) {
        if (byId.computeIfAbsent(id, absent -> new BsonArray()) instanceof BsonArray array) {
            array.add(value);
        } else {
            throw new IllegalStateException("the entity '" + id + "' is no list");
        }
    }

    /** A number that a loop counts. */
    void replace(String id, BsonValue value) {
        byId.put(id, value);
    }

    private Object get(String id) {
        Object entity = byId.get(id);
        if (entity == null) {
            throw new IllegalStateException("there is no entity '" + id + "'");
        }
        return entity;
    }

    ClientEntity client(String id) {
        if (get(id) instanceof ClientEntity client) {
            return client;
        }
        throw new IllegalStateException("the entity '" + id + "' is no client");
    }

    Driven driven(String id) {
        return switch (get(id)) {
            case ClientEntity client -> client.driven();
            case Driven driven -> driven;
            default -> throw new IllegalStateException("the entity '" + id + "' has no operations");
        };
    }

    DrivenSession session(String id) {
        if (get(id) instanceof DrivenSession session) {
            return session;
        }
        throw new IllegalStateException("the entity '" + id + "' is no session");
    }

    ThreadEntity thread(String id) {
        if (get(id) instanceof ThreadEntity thread) {
            return thread;
        }
        throw new IllegalStateException("the entity '" + id + "' is no thread");
    }

    BsonValue value(String id) {
        if (get(id) instanceof BsonValue value) {
            return value;
        }
        throw new IllegalStateException("the entity '" + id + "' is no value");
    }

    @Nullable
    BsonValue find(String id) {
        return byId.get(id) instanceof BsonValue value ? value : null;
    }

    /** Kept from the beginning: an ended session has it no longer. */
    BsonDocument lsid(DrivenSession session) {
        BsonDocument lsid = lsids.get(session);
        if (lsid == null) {
            throw new IllegalStateException("a session without an id");
        }
        return lsid;
    }

    // ---- the end

    /** Cursors and sessions before clients; an error of one does not keep the others open. */
    @Override
    public void close() {
        List<Object> all = new ArrayList<>(byId.values());
        for (Object each : all.reversed()) {
            if (each instanceof ThreadEntity thread) {
                thread.close();
            } else if (each instanceof Driven driven) {
                close(driven);
            }
        }
        for (Object each : all) {
            if (each instanceof ClientEntity client) {
                close(client.driven());
            }
        }
    }

    private static void close(Driven driven) {
        try {
            driven.close();
        } catch (Exception e) {
            // What is broken by a fail point cannot be closed cleanly, and the case has been judged.
            return;
        }
    }
}
