package dev.semel.conformance.subject;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/**
 * A server or a set in this process, and a way to it that no driver is part of: what prepares a case and looks at what it left
 * behind does not depend on the driver under test.
 */
public final class Subject implements AutoCloseable {
    private static final String SEVERAL_MEMBERS = "needs a set of several members";
    private static final String USER = "root";
    private static final String PASSWORD = "secret";
    /** Some cases give a whole login a quarter of a second. */
    private static final Map<String, String> QUICK_LOGIN =
            Map.of("scramIterationCount", "5000", "scramSHA256IterationCount", "5000");

    private static final String TEST_COMMANDS = "needs commands that mongod has for its own tests";

    /** What one server cannot be asked, by file or case, with the reason. */
    private static final Map<String, String> MISSING = Map.of(
            "versioned-api/test-commands-strict-mode.json", TEST_COMMANDS,
            "server-discovery-and-monitoring/unified/rediscover-quickly-after-step-down.json", SEVERAL_MEMBERS,
            "server-discovery-and-monitoring/unified/logging-replicaset.json: Topology lifecycle", SEVERAL_MEMBERS,
            "server-discovery-and-monitoring/unified/replicaset-emit-topology-changed-before-close.json",
                    SEVERAL_MEMBERS,
            "server-selection/logging/replica-set.json", SEVERAL_MEMBERS);

    private final Topology topology;
    private final Deployment deployment;
    private final ReentrantLock lock = new ReentrantLock();
    private final int[] version;
    private final BsonDocument parameters;

    private Subject(Topology topology, Deployment deployment) {
        this.topology = topology;
        this.deployment = deployment;
        String[] parts = run("admin", BsonDocument.parse("{buildInfo: 1}"))
                .getString("version")
                .getValue()
                .split("[.-]");
        version = Arrays.stream(parts).limit(3).mapToInt(Integer::parseInt).toArray();
        parameters = run("admin", BsonDocument.parse("{getParameter: '*'}"));
    }

    public static Subject start(Topology topology) throws IOException {
        if (topology == Topology.SET_OF_THREE) {
            return new Subject(topology, new ThreeMembers());
        }
        ServerOptions options = ServerOptions.memory().slowOperationMs(Long.MAX_VALUE >> 32);
        if (!topology.isReplicaSet()) {
            options = options.standalone();
        }
        if (topology.hasAccessControl()) {
            options = options.accessControl().user(USER, PASSWORD, "root").parameters(QUICK_LOGIN);
        }
        return new Subject(topology, new OneServer(Server.start(options)));
    }

    public Topology topology() {
        return topology;
    }

    /** Why this server cannot be asked what the case asks, or null. */
    public @Nullable String missing(String test) {
        return MISSING.entrySet().stream()
                .filter(each -> test.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .filter(reason -> topology != Topology.SET_OF_THREE || !reason.equals(SEVERAL_MEMBERS))
                .findFirst()
                .orElse(null);
    }

    public String uri() {
        String uri = deployment.connectionString();
        return topology.hasAccessControl() ? uri.replace("://", "://" + USER + ":" + PASSWORD + "@") : uri;
    }

    public int[] version() {
        return version.clone();
    }

    /** The server parameters, as they were at the start. */
    public BsonDocument parameters() {
        return parameters;
    }

    /** Runs a command; an answer that is an error fails. */
    public BsonDocument run(String database, BsonDocument command) {
        BsonDocument reply = tryToRun(database, command);
        if (reply.getNumber("ok").intValue() != 1 || reply.containsKey("writeErrors")) {
            throw new IllegalStateException(command.toJson() + " failed: " + reply.toJson());
        }
        return reply;
    }

    /** Runs a command and gives whatever is the answer. */
    public BsonDocument tryToRun(String database, BsonDocument command) {
        BsonDocument named = command.clone().append("$db", new BsonString(database));
        var buffer = new RawBsonDocument(named, new BsonDocumentCodec())
                .getByteBuffer()
                .asNIO();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        lock.lock();
        try {
            RawDocument reply = deployment.run(RawDocument.of(bytes));
            return new RawBsonDocument(reply.toBytes()).decode(new BsonDocumentCodec());
        } finally {
            lock.unlock();
        }
    }

    public void setParameter(String name, String value) {
        run("admin", new BsonDocument("setParameter", new BsonInt32(1)).append(name, new BsonString(value)));
    }

    /** All documents of a collection, in the order of {@code _id}. */
    public List<BsonDocument> documents(String database, String collection) {
        BsonDocument command = BsonDocument.parse("{filter: {}, sort: {_id: 1}, batchSize: 100000, singleBatch: true}");
        BsonDocument find = new BsonDocument("find", new BsonString(collection));
        find.putAll(command);
        List<BsonDocument> documents = new ArrayList<>();
        for (BsonValue each : run(database, find).getDocument("cursor").getArray("firstBatch")) {
            documents.add(each.asDocument());
        }
        return documents;
    }

    @Override
    public void close() {
        deployment.close();
    }
}
