package dev.semel.server.commands;

import dev.semel.server.auth.User;
import dev.semel.server.auth.UserName;
import dev.semel.server.auth.Users;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.replica.ReplicaSet;
import dev.semel.server.session.Sessions;
import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * {@code hello}, and its predecessor {@code isMaster}: who this server is and what it can do. A monitor that already
 * knows the state of affairs waits here for news.
 */
final class Hello implements Command<Hello.Args> {
    private static final ErrorCode TOPOLOGY_VERSION_WITHOUT_WAIT = ErrorCode.location(31368);
    private static final ErrorCode TOPOLOGY_VERSION_FROM_THE_FUTURE = ErrorCode.location(31382);

    /**
     * The fields of the command.
     *
     * @param known the topology version that the client already has
     */
    record Args(
            @Nullable RawDocument client,
            List<String> compression,
            boolean helloOk,
            @Nullable TopologyVersion known,
            long maxAwaitMs,
            @Nullable UserName asksFor,
            @Nullable Beginning login) {}

    /** Which process, and which state of affairs in it. */
    record TopologyVersion(ObjectId process, long counter) {}

    private final boolean isLegacy;
    private final ReplicaSet replicaSet;
    private final Sessions sessions;
    private final List<Compressor> compressors;
    private final ObjectId process;
    private final InstantSource clock;
    private final Users users;
    private final Login login;

    /** The process is a number that another run of the server does not have. */
    Hello(
            boolean isLegacy,
            ReplicaSet replicaSet,
            Sessions sessions,
            List<Compressor> compressors,
            ObjectId process,
            InstantSource clock,
            Users users,
            Login login) {
        this.isLegacy = isLegacy;
        this.replicaSet = replicaSet;
        this.sessions = sessions;
        this.compressors = compressors;
        this.process = process;
        this.clock = clock;
        this.users = users;
        this.login = login;
    }

    @Override
    public Spec spec() {
        return (isLegacy ? Spec.of("isMaster").alias("ismaster") : Spec.of("hello"))
                .with(Trait.HANDSHAKE, Trait.OWN_MAX_TIME, Trait.CONFIDENTIAL);
    }

    @Override
    public Args parse(Arguments in) {
        // Every client begins with it, those of the future too: what they ask beyond this, they do not rely on.
        in.ignoreOthers();
        // A server without a load balancer omits the field; that is how the client learns it.
        in.bool("loadBalanced", false);
        TopologyVersion known = topologyVersion(in);
        if ((known == null) == in.has("maxAwaitTimeMS")) {
            throw new CommandException(
                    TOPOLOGY_VERSION_WITHOUT_WAIT,
                    known == null
                            ? "A request with 'maxAwaitTimeMS' must include a 'topologyVersion'"
                            : "A request with a 'topologyVersion' must include 'maxAwaitTimeMS'");
        }
        return new Args(
                in.optionalDocument("client"),
                strings(in, "compression"),
                in.bool("helloOk", false),
                known,
                in.nonNegative("maxAwaitTimeMS", 0),
                asksFor(in),
                login(in));
    }

    private static @Nullable UserName asksFor(Arguments in) {
        String user = in.string("saslSupportedMechs");
        if (user == null) {
            return null;
        }
        int dot = user.indexOf('.');
        if (dot <= 0) {
            throw new CommandException(ErrorCode.BadValue, "UserName must contain a '.' separated database.user pair");
        }
        return new UserName(user.substring(dot + 1), user.substring(0, dot));
    }

    /** What the client would begin with after this, so that it need not. */
    sealed interface Beginning {
        record Scram(SaslStartArgs args) implements Beginning {}

        record Certificate(CertificateArgs args) implements Beginning {}
    }

    private static @Nullable Beginning login(Arguments in) {
        RawDocument speculative = in.optionalDocument("speculativeAuthenticate");
        if (speculative == null) {
            return null;
        }
        try {
            return beginning(in.inner("speculativeAuthenticate", speculative));
        } catch (CommandException e) {
            // As a failure: the client authenticates again by a command, and gets the error then.
            return null;
        }
    }

    private static Beginning beginning(Arguments fields) {
        String database = fields.requiredString("db");
        Beginning beginning = fields.has("authenticate")
                ? new Beginning.Certificate(CertificateArgs.parse(fields, database))
                : new Beginning.Scram(SaslStartArgs.parse(fields, database));
        fields.ignored("saslStart", "authenticate");
        fields.refuseUnknown();
        return beginning;
    }

    private static List<String> strings(Arguments in, String field) {
        List<String> strings = new ArrayList<>();
        for (Value each : in.array(field)) {
            if (!(each instanceof Value.Str(var text))) {
                throw in.wrongType(field + "." + strings.size(), each, "'string'");
            }
            strings.add(text.toString());
        }
        return strings;
    }

    private static @Nullable TopologyVersion topologyVersion(Arguments in) {
        RawDocument given = in.optionalDocument("topologyVersion");
        if (given == null) {
            return null;
        }
        Arguments fields = in.inner("topologyVersion", given);
        Value id = fields.required("processId");
        if (!(id instanceof Value.Oid(ObjectId number))) {
            throw fields.wrongType("processId", id, "'objectId'");
        }
        TopologyVersion version = new TopologyVersion(number, fields.requiredInteger("counter"));
        fields.refuseUnknown();
        return version;
    }

    @Override
    public Reply run(Args args, Call call) {
        call.client().introduce(args.client());
        awaitNews(args, call);
        BsonWriter reply = new BsonWriter(768);
        if (args.helloOk()) {
            reply.put("helloOk", true);
        }
        reply.startDocument("topologyVersion")
                .put("processId", new Value.Oid(process))
                .put("counter", replicaSet.topologyCounter())
                .end();
        boolean isPrimary = replicaSet.describe(reply);
        reply.put(isLegacy ? "ismaster" : "isWritablePrimary", isPrimary)
                .put("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX)
                .put("maxMessageSizeBytes", Limits.MESSAGE_BYTES_MAX)
                .put("maxWriteBatchSize", Limits.WRITE_BATCH_MAX)
                .put("localTime", new Value.Date(clock.millis()))
                .put("logicalSessionTimeoutMinutes", (int) sessions.timeout().toMinutes())
                .put("connectionId", (int) call.client().connectionId())
                .put("minWireVersion", ProcessInfo.WIRE_VERSION_MIN)
                .put("maxWireVersion", ProcessInfo.WIRE_VERSION_MAX)
                .put("readOnly", false);
        addCompression(reply, args.compression());
        addMechanisms(reply, args.asksFor());
        addLogin(reply, args.login(), call);
        Reply answer = Reply.of(reply);
        return call.mayStream() && args.known() != null ? answer.then(again(args, call)) : answer;
    }

    private void awaitNews(Args args, Call call) {
        TopologyVersion known = args.known();
        if (known == null || !known.process().equals(process)) {
            return;
        }
        long now = replicaSet.topologyCounter();
        if (known.counter() > now) {
            throw new CommandException(
                    TOPOLOGY_VERSION_FROM_THE_FUTURE,
                    "Received a topology version with counter: %d which is greater than the server topology version"
                            + " counter: %d",
                    known.counter(),
                    now);
        }
        if (known.counter() == now) {
            replicaSet.awaitChange(now, TimeUnit.MILLISECONDS.toNanos(args.maxAwaitMs()), call.interruption());
        }
    }

    private void addCompression(BsonWriter reply, List<String> offered) {
        List<Compressor> common = Compressor.common(offered).stream()
                .filter(compressors::contains)
                .toList();
        if (!common.isEmpty()) {
            reply.startArray("compression");
            common.forEach(each -> reply.add(each.label()));
            reply.end();
        }
    }

    /** Nothing for a user who does not exist: the client then tries, and fails as with a wrong password. */
    private void addMechanisms(BsonWriter reply, @Nullable UserName asksFor) {
        User user = asksFor == null ? null : users.find(asksFor);
        if (user != null) {
            reply.startArray("saslSupportedMechs");
            user.credentials().keySet().forEach(each -> reply.add(each.mechanism()));
            reply.end();
        }
    }

    /** A speculative authentication that fails is left out: the client authenticates by a command, and gets the error then. */
    private void addLogin(BsonWriter reply, @Nullable Beginning beginning, Call call) {
        if (beginning == null) {
            return;
        }
        BsonWriter answer = new BsonWriter();
        try {
            switch (beginning) {
                case Beginning.Scram(var args) -> login.start(args, call.client(), answer);
                case Beginning.Certificate(var args) -> login.certificate(args, call.client(), answer);
            }
        } catch (CommandException e) {
            return;
        }
        reply.put("speculativeAuthenticate", answer.finish());
    }

    /** The same request as the client would send it after this reply; the client's description is not repeated. */
    private RawDocument again(Args args, Call call) {
        return new BsonWriter()
                .put(spec().name(), 1)
                .put("helloOk", args.helloOk())
                .startDocument("topologyVersion")
                .put("processId", new Value.Oid(process))
                .put("counter", replicaSet.topologyCounter())
                .end()
                .put("maxAwaitTimeMS", args.maxAwaitMs())
                .put("$db", call.database())
                .finish();
    }
}
