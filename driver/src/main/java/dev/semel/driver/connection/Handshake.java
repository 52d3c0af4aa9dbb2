package dev.semel.driver.connection;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.ConnectionId;
import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.ServerApi;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message;
import dev.semel.wire.scram.ScramClient;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The handshake of a connection: hello with client metadata, compression, and authentication. */
final class Handshake {
    private static final int SECONDARY_OK = 4;
    static final int DOCUMENT_BYTES_DEFAULT = 16 * 1024 * 1024;
    static final int MESSAGE_BYTES_DEFAULT = 48_000_000;
    private static final int BATCH_COUNT_DEFAULT = 100_000;
    private static final BsonInt32 ONE = new BsonInt32(1);

    private final ConnectionSettings settings;
    private @Nullable ScramClient begun;

    Handshake(ConnectionSettings settings) {
        this.settings = settings;
    }

    BsonDocument hello(Connection connection, @Nullable MonitorHello monitoring, Deadline deadline) {
        boolean isModern = settings.serverApi() != null || settings.loadBalanced();
        BsonDocument command = new BsonDocument(isModern ? "hello" : "isMaster", ONE)
                .append("helloOk", BsonBoolean.TRUE)
                .append("backpressure", new BsonString("2"))
                .append("client", settings.metadata().document());
        if (!settings.compressors().isEmpty()) {
            var names = settings.compressors().stream()
                    .map(each -> new BsonString(each.label()))
                    .toList();
            command.append("compression", new BsonArray(names));
        }
        if (settings.loadBalanced()) {
            command.append("loadBalanced", BsonBoolean.TRUE);
        }
        MongoCredential credential = settings.credential();
        if (monitoring == null && credential != null) {
            begun = Authentication.offer(credential, command);
        }
        BsonDocument reply = send(connection, command, isModern, deadline);
        connection.helloDone(description(connection, reply), agreed(reply));
        if (settings.loadBalanced() && !reply.containsKey("serviceId")) {
            throw new MongoConfigurationException(
                    "Driver attempted to initialize in load balancing mode, but the server does not support this mode");
        }
        return reply;
    }

    void authenticate(Connection connection, BsonDocument hello, Supplier<Deadline> deadlines) {
        MongoCredential credential = settings.credential();
        if (credential != null
                && !ServerDescription.of(connection.address(), hello, null, Duration.ZERO)
                        .type()
                        .equals(ServerType.RS_ARBITER)) {
            new Authentication(connection, credential, settings.serverApi(), deadlines).run(hello, begun);
        }
    }

    private BsonDocument send(Connection connection, BsonDocument command, boolean isModern, Deadline deadline) {
        if (isModern) {
            connection.encode(new DocumentCommand("admin", command, settings.serverApi()), 0);
            connection.send("hello", deadline);
        } else {
            connection.send(
                    new Message.OpQuery(connection.nextRequestId(), 0, SECONDARY_OK, "admin.$cmd", raw(command)),
                    deadline);
        }
        BsonDocument reply = connection.receive(deadline).document();
        if (reply.getNumber("ok", new BsonInt32(0)).intValue() != 1) {
            throw ErrorReply.exception(reply, connection.address());
        }
        return reply;
    }

    private static RawDocument raw(BsonDocument document) {
        var bytes = new RawBsonDocument(document, new BsonDocumentCodec()).getByteBuffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawDocument.of(copy);
    }

    private ConnectionDescription description(Connection connection, BsonDocument reply) {
        ServerDescription server = ServerDescription.of(connection.address(), reply, null, Duration.ZERO);
        ConnectionId id = connection.id();
        Long serverValue =
                reply.isNumber("connectionId") ? reply.getNumber("connectionId").longValue() : null;
        return new ConnectionDescription(
                new ConnectionId(id.server(), id.localValue(), serverValue),
                settings.loadBalanced() ? ServerType.LOAD_BALANCER : server.type(),
                server.maxWireVersion(),
                limit(reply, "maxBsonObjectSize", DOCUMENT_BYTES_DEFAULT),
                limit(reply, "maxMessageSizeBytes", MESSAGE_BYTES_DEFAULT),
                limit(reply, "maxWriteBatchSize", BATCH_COUNT_DEFAULT),
                server.logicalSessionTimeoutMinutes(),
                reply.isObjectId("serviceId") ? reply.getObjectId("serviceId").getValue() : null);
    }

    /** A limit of nothing would make batches of nothing. */
    private static int limit(BsonDocument reply, String name, int otherwise) {
        int value = reply.isNumber(name) ? reply.getNumber(name).intValue() : 0;
        return value > 0 ? value : otherwise;
    }

    private Compressor agreed(BsonDocument reply) {
        if (!reply.isArray("compression")) {
            return Compressor.NONE;
        }
        List<String> theirs = reply.getArray("compression").stream()
                .filter(BsonValue::isString)
                .map(each -> each.asString().getValue())
                .toList();
        return settings.compressors().stream()
                .filter(each -> theirs.contains(each.label()))
                .findFirst()
                .orElse(Compressor.NONE);
    }

    static void append(BsonDocument command, @Nullable ServerApi api) {
        if (api != null) {
            command.append("apiVersion", new BsonString(api.version()));
            Boolean strict = api.strict();
            if (strict != null) {
                command.append("apiStrict", BsonBoolean.valueOf(strict));
            }
            Boolean deprecationErrors = api.deprecationErrors();
            if (deprecationErrors != null) {
                command.append("apiDeprecationErrors", BsonBoolean.valueOf(deprecationErrors));
            }
        }
    }
}
