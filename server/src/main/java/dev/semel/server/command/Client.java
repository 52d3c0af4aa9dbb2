package dev.semel.server.command;

import dev.semel.server.auth.Identity;
import dev.semel.server.auth.ScramConversation;
import dev.semel.server.auth.UserDigest;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The other end of a connection, and its metadata. Changed only by the connection's own
 * thread; others may read it.
 */
public final class Client {
    private static final int METADATA_BYTES_MAX = 512;
    private static final int APP_NAME_BYTES_MAX = 128;
    private static final ErrorCode METADATA_MISSING_FIELD = new ErrorCode(183, "ClientMetadataMissingField");

    private final long connectionId;
    private final String remote;
    private volatile @Nullable RawDocument metadata;
    private volatile String appName = "";
    private volatile boolean hasSaidHello;
    private volatile @Nullable Call current;
    private volatile Duration lockTimeout;
    private final Origin origin;
    private volatile @Nullable Identity identity;
    private volatile @Nullable String certificateSubject;
    private @Nullable ScramConversation conversation;

    /** Whether its command has been given up, and is to begin again. By the thread that runs its commands. */
    private boolean hasGivenUp;

    private long givenUpNanos;

    /** Where it connects from. */
    public enum Origin {
        /** The program that the server is a part of: nothing can be kept from it. */
        PROCESS,
        /** The same machine. */
        MACHINE,
        NETWORK
    }

    /** Addresses as {@code host:port}; a caller in the same process has a name instead of an address. */
    public Client(long connectionId, String remote, Origin origin, Duration lockTimeout) {
        this.connectionId = connectionId;
        this.remote = remote;
        this.origin = origin;
        this.lockTimeout = lockTimeout;
    }

    boolean isInside() {
        return origin == Origin.PROCESS;
    }

    boolean isLocal() {
        return origin != Origin.NETWORK;
    }

    // ---- who it is

    /** The authenticated user; null before that. */
    public @Nullable Identity identity() {
        return identity;
    }

    public void identity(@Nullable Identity proved) {
        identity = proved;
    }

    /** Distinguishes its sessions and cursors from those of other users; null without a user. */
    public @Nullable UserDigest owner() {
        Identity known = identity;
        return known == null ? null : known.digest();
    }

    /** The name in the certificate that it has shown, if the server asked for one. */
    public @Nullable String certificateSubject() {
        return certificateSubject;
    }

    public void certificateSubject(@Nullable String subject) {
        certificateSubject = subject;
    }

    /** The proof that is under way. */
    public @Nullable ScramConversation conversation() {
        return conversation;
    }

    public void conversation(@Nullable ScramConversation begun) {
        conversation = begun;
    }

    // ---- what it has said

    /** How long its statements wait for a lock: what the server's parameter said when it came, unless it has said so. */
    public Duration lockTimeout() {
        return lockTimeout;
    }

    public void lockTimeout(Duration own) {
        lockTimeout = own;
    }

    public long connectionId() {
        return connectionId;
    }

    public String remote() {
        return remote;
    }

    /** The {@code client} document of its first {@code hello}; null if it sent none. */
    public @Nullable RawDocument metadata() {
        return metadata;
    }

    public String appName() {
        return appName;
    }

    /** The name under which the log and {@code currentOp} know the connection. */
    public String description() {
        return "conn" + connectionId;
    }

    /** What it runs at this moment. */
    public @Nullable Call current() {
        return current;
    }

    void running(@Nullable Call call) {
        current = call;
    }

    /** The command that began then begins again later: to its client that is one. */
    void gaveUp(long startedNanos) {
        hasGivenUp = true;
        givenUpNanos = startedNanos;
    }

    /** Of the command that begins now, perhaps again. */
    long beginning(LongSupplier nanoTime) {
        boolean isAgain = hasGivenUp;
        hasGivenUp = false;
        return isAgain ? givenUpNanos : nanoTime.getAsLong();
    }

    /** A {@code hello} has come; only the first may bring metadata. */
    public void introduce(@Nullable RawDocument described) {
        boolean isFirst = !hasSaidHello;
        hasSaidHello = true;
        if (described == null) {
            return;
        }
        if (!isFirst) {
            throw new CommandException(
                    ErrorCode.ClientMetadataCannotBeMutated,
                    "The client metadata document may only be sent in the first hello");
        }
        String name = check(described);
        metadata = described.detached();
        appName = name;
    }

    private static String check(RawDocument described) {
        if (described.length() > METADATA_BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.ClientMetadataDocumentTooLarge,
                    "The client metadata document must be less than or equal to %d bytes",
                    METADATA_BYTES_MAX);
        }
        Value application = described.get("application");
        String name = application == null ? "" : appName(application);
        requireString(described, "driver", "name");
        requireString(described, "driver", "version");
        requireString(described, "os", "type");
        return name;
    }

    private static String appName(Value application) {
        if (!(application instanceof Value.Doc(RawDocument fields))) {
            throw wrongType("application", application, "Object");
        }
        return switch (fields.get("name")) {
            case null -> "";
            case Value.Str(var text)
            when text.length() > APP_NAME_BYTES_MAX ->
                throw new CommandException(
                        ErrorCode.ClientMetadataAppNameTooLarge,
                        "The '{client metadata document}.application.name' field must be less than or equal to %d"
                                + " bytes long",
                        APP_NAME_BYTES_MAX);
            case Value.Str(var text) -> text.toString();
            case Value other -> throw wrongType("application.name", other, "String");
        };
    }

    private static void requireString(RawDocument described, String part, String field) {
        switch (described.get(part)) {
            case null ->
                throw new CommandException(
                        METADATA_MISSING_FIELD,
                        "Missing required sub-document '%s' in the client metadata document",
                        part);
            case Value.Doc(RawDocument fields) -> {
                Value value = fields.get(field);
                if (!(value instanceof Value.Str)) {
                    throw value == null
                            ? new CommandException(
                                    METADATA_MISSING_FIELD,
                                    "Missing required field '%s.%s' in the client metadata document",
                                    part,
                                    field)
                            : wrongType(part + "." + field, value, "String");
                }
            }
            case Value other -> throw wrongType(part, other, "Object");
        }
    }

    private static CommandException wrongType(String field, Value found, String expected) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "The '%s' field in the client metadata document must be a%s %s, found %s",
                field,
                expected.startsWith("O") ? "n" : "",
                expected,
                found.type().alias());
    }
}
