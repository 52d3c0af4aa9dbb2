package dev.semel.cluster;

import dev.semel.server.LocalConnection;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.replica.Expansion;
import dev.semel.server.replica.SetConfig;
import dev.semel.server.status.Log;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * How a server that is the only member of its set becomes one of several: because it is told to have other members, or
 * because the members of a set want it. In both cases it is closed and opened again as what its {@link MemberFile} says.
 */
final class Joining implements AutoCloseable {
    /** What each server has, whether or not somebody has written. */
    private static final Set<String> OWN_DATABASES = Set.of("admin", "config", "local");

    private final Path folder;
    private final @Nullable MemberSecurity security;
    private final boolean isWaiting;
    private final SecureRandom random = new SecureRandom();

    /** Once there is one. */
    private final AtomicReference<@Nullable WaitingPort> port = new AtomicReference<>();

    /** What it becomes; empty as long as that is not decided, which happens once. */
    private final AtomicReference<@Nullable MemberFile> decided = new AtomicReference<>();

    /**
     * Decides nothing yet.
     *
     * @param folder for the consensus log
     * @param isWaiting whether it listens for invitations
     */
    Joining(Path folder, @Nullable MemberSecurity security, boolean isWaiting) {
        this.folder = folder;
        this.security = security;
        this.isWaiting = isWaiting;
    }

    /** @param reopen is to close the server and to open it as this member */
    Server start(ServerOptions options, Log log, Consumer<SetOptions> reopen) throws IOException {
        Server server = Server.start(options, new Founding(options, reopen));
        String set = options.replicaSet();
        if (isWaiting && set != null) {
            listen(options, set, server, log, reopen);
        }
        return server;
    }

    private void listen(ServerOptions options, String set, Server server, Log log, Consumer<SetOptions> reopen) {
        int number = SetOptions.replicationPort(server.address());
        try {
            port.set(WaitingPort.open(
                    options.addresses(),
                    number,
                    security,
                    invitation -> join(invitation, set, server, reopen),
                    new Refusals()));
        } catch (IOException | IllegalArgumentException e) {
            // It serves its clients all the same, and says so to whoever wants to add it to a set.
            log.warning(
                    Log.Component.REPL,
                    "member",
                    "The port for members is not available, so this server cannot be added to a set",
                    new BsonWriter()
                            .put("port", number)
                            .put("reason", String.valueOf(e.getMessage()))
                            .finish());
        }
    }

    // ---- another member of the set asks

    private void join(Invitation invitation, String set, Server server, Consumer<SetOptions> reopen) {
        String host = invitation.host();
        if (invitation.format() != Invitation.FORMAT) {
            throw refused(
                    "%s runs another version of Semel, whose log this set cannot share (its format is %d, that of %s is"
                            + " %d): run the same version on all members",
                    host, Invitation.FORMAT, invitation.from(), invitation.format());
        }
        if (!invitation.set().equals(set)) {
            throw refused(
                    "%s was started with --replSet %s, and the set is %s: restart it with the set's name",
                    host, set, invitation.set());
        }
        requireEmpty(host, server);
        MemberFile file = new MemberFile(set, invitation.id(), host, List.of());
        SetOptions next = file.options(folder, SetOptions.ELECTION_TIMEOUT, security);
        try {
            OwnAddress.require(next);
        } catch (IOException e) {
            throw new CommandException(ErrorCode.NodeNotFound, "%s", String.valueOf(e.getMessage()));
        }
        if (invitation.isQuestion()) {
            return;
        }
        decide(file);
        reopen.accept(next);
    }

    /** What it has would be replaced by the data of the set. */
    private static void requireEmpty(String host, Server server) {
        try (LocalConnection connection = server.connect()) {
            RawDocument hello = connection.run(
                    new BsonWriter().put("hello", 1).put("$db", "admin").finish());
            if (hello.has("replicaSetId")) {
                throw refused(
                        "%s was initiated as a replica set of its own: restart it with an empty --dbpath, or add the"
                                + " other members from there",
                        host);
            }
            RawDocument all = connection.run(new BsonWriter()
                    .put("listDatabases", 1)
                    .put("nameOnly", true)
                    .put("$db", "admin")
                    .finish());
            if (all.get("databases") instanceof Value.Array(RawDocument databases)) {
                for (var at = databases.cursor(); at.next(); ) {
                    if (at.value() instanceof Value.Doc(RawDocument database)
                            && database.get("name") instanceof Value.Str(var name)
                            && !OWN_DATABASES.contains(name.toString())) {
                        throw refused(
                                "%s has data of its own, the database '%s', which would be lost: restart it with an"
                                        + " empty --dbpath, or add the other members from there",
                                host, name);
                    }
                }
            }
        }
    }

    private void decide(MemberFile file) {
        if (!decided.compareAndSet(null, file) && !file.equals(decided.get())) {
            throw refused("%s is joining a set at this moment", file.self());
        }
        try {
            file.write(folder);
        } catch (IOException e) {
            decided.set(null);
            throw refused("%s cannot write to the folder %s: %s", file.self(), folder, String.valueOf(e.getMessage()));
        }
    }

    private static CommandException refused(String message, Object... arguments) {
        return new CommandException(ErrorCode.NewReplicaSetConfigurationIncompatible, message, arguments);
    }

    // ---- an administrator asks

    /** Of a set that begins with the data that is here. */
    private final class Founding implements Expansion {
        private final ServerOptions options;
        private final Consumer<SetOptions> reopen;

        /** The same for each attempt: should one fail, members that it has told belong to the next. */
        private final ObjectId id =
                new ObjectId((int) InstantSource.system().instant().getEpochSecond(), random.nextLong());

        Founding(ServerOptions options, Consumer<SetOptions> reopen) {
            this.options = options;
            this.reopen = reopen;
        }

        @Override
        public ObjectId newId() {
            return id;
        }

        @Override
        public void prepare(SetConfig next, String self, Interruption interruption) {
            if (options.directory() == null) {
                throw refused(
                        "%s has its data in memory, and a member that forgets what it has promised can lose writes of"
                                + " all: start it with --dbpath",
                        self);
            }
            String group = String.valueOf(next.settings().replicaSetId());
            MemberFile file = new MemberFile(next.name(), group, self, List.of(self));
            try {
                OwnAddress.require(file.options(folder, SetOptions.ELECTION_TIMEOUT, security));
            } catch (IOException e) {
                throw new CommandException(ErrorCode.NodeNotFound, "%s", String.valueOf(e.getMessage()));
            }
            new NewMembers(self, group, new MemberClient(options.security().tls()), security).invite(next, null);
            decide(file);
        }

        @Override
        public void begin() {
            MemberFile file = decided.get();
            if (file != null) {
                reopen.accept(file.options(folder, SetOptions.ELECTION_TIMEOUT, security));
            }
        }
    }

    /** Frees the port. */
    @Override
    public void close() {
        WaitingPort open = port.getAndSet(null);
        if (open != null) {
            open.close();
        }
    }
}
