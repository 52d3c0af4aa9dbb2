package dev.semel.cluster;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.server.status.Log;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A member of a replica set, or a server by itself. It outlives its server: where data has to be replaced, the server is closed and another one is
 * started on the same data and addresses. Clients see closed connections, and retry.
 */
public final class Member implements AutoCloseable {
    /** What is done while the server is closed, one after the other. */
    private static final int REOPENINGS_MAX = 16;

    private final ServerOptions options;
    private final NamedMembers named;
    private final MemberParts parts;
    private final Log log;
    private final MemberData data;

    /** How this server can become one of several; null if it cannot. */
    private final @Nullable Joining joining;

    private final CutLinks links = new CutLinks();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private @Nullable SetOptions set;

    private final Deque<Reopening> wanted = new ArrayDeque<>();
    private boolean isClosing;

    /** Null while it is opened again; the last one after the end. */
    private @Nullable Server server;

    /** What is done while the server is closed. */
    @FunctionalInterface
    interface BeforeOpen {
        /** Returns the options to go on with. */
        @Nullable
        SetOptions run(@Nullable SetOptions set) throws IOException;
    }

    private record Reopening(String why, BeforeOpen action) {}

    private Member(
            ServerOptions options,
            @Nullable SetOptions set,
            NamedMembers named,
            @Nullable Joining joining,
            MemberParts parts) {
        this.options = options;
        this.named = named;
        this.set = set;
        this.joining = joining;
        this.parts = parts;
        this.log = new Log(parts.clock());
        this.data = new MemberData(options.directory(), log);
    }

    /**
     * Returns when the server accepts commands. An {@link IOException} says why it cannot listen or open its data.
     *
     * @param set null for a server whose data nobody else has
     */
    public static Member start(ServerOptions options, @Nullable SetOptions set) throws IOException {
        return start(options, set, MemberParts.USUAL);
    }

    /** The same of other parts. */
    static Member start(ServerOptions options, @Nullable SetOptions set, MemberParts parts) throws IOException {
        return set == null
                ? begin(new Member(options, null, NamedMembers.NONE, null, parts))
                : begin(new Member(options, remembered(set), new NamedMembers(set.members()), null, parts));
    }

    /**
     * A server that is the only member of its set and can become one of several, or that has become that before.
     *
     * @param folder for the consensus log
     * @param security null: not at all, which is for members on the loopback address
     * @param isWaiting whether it listens at the port for members as long as it is alone, so that it can be told which set
     *     it belongs to
     */
    public static Member start(ServerOptions options, Path folder, @Nullable MemberSecurity security, boolean isWaiting)
            throws IOException {
        MemberFile file = MemberFile.read(folder);
        String name = options.replicaSet();
        if (file == null) {
            Joining joining = new Joining(folder, security, isWaiting);
            return begin(new Member(options, null, NamedMembers.NONE, joining, MemberParts.USUAL));
        }
        if (name == null) {
            throw new IOException(
                    "the folder %s belongs to the member %s of the replica set '%s': start it with --replSet %s, because what is written without the other members would be lost"
                            .formatted(folder, file.self(), file.set(), file.set()));
        }
        file.check(folder, name, null);
        SetOptions set = file.options(folder, SetOptions.ELECTION_TIMEOUT, security);
        if (options.port() != SetOptions.port(file.self())) {
            throw new IOException(
                    "the folder %s belongs to the member %s of the replica set '%s', and --port says %d: start it with its port, or a new member with an empty --dbpath"
                            .formatted(folder, file.self(), file.set(), options.port()));
        }
        return begin(new Member(options, set, NamedMembers.NONE, null, MemberParts.USUAL));
    }

    /** What was written at its first start counts. */
    private static SetOptions remembered(SetOptions set) throws IOException {
        MemberFile file = MemberFile.read(set.folder());
        if (file == null) {
            return set;
        }
        file.check(set.folder(), set.name(), set.self());
        return file.options(set.folder(), set.electionTimeout(), set.security());
    }

    private static Member begin(Member member) throws IOException {
        Server first = member.open();
        Thread.ofPlatform().name("semel-member").start(() -> member.run(first));
        return member;
    }

    private Server open() throws IOException {
        SetOptions present = set();
        Joining alone = joining;
        Server opened;
        if (present != null) {
            opened = Server.start(
                    options,
                    new RaftReplication(
                            present,
                            named,
                            options.security().tls(),
                            links,
                            data,
                            log,
                            this::reopen,
                            parts,
                            System::nanoTime));
        } else if (alone == null) {
            opened = Server.start(options);
        } else {
            opened = alone.start(options, log, next -> reopen("it becomes a member of several", before -> next));
        }
        lock.lock();
        try {
            server = opened;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("semel-member-end").start(() -> awaitEndOf(opened));
        return opened;
    }

    private @Nullable SetOptions set() {
        lock.lock();
        try {
            return set;
        } finally {
            lock.unlock();
        }
    }

    /** A client may shut the server down, and a failure may: that is the end of the member too. */
    private void awaitEndOf(Server opened) {
        try {
            opened.awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        lock.lock();
        try {
            isClosing |= opened.equals(server);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- for whoever holds it

    /** The server; while it is opened again, the call waits. After the end it is the last one, which is closed. */
    public Server server() {
        lock.lock();
        try {
            while (server == null) {
                changed.awaitUninterruptibly();
            }
            return server;
        } finally {
            lock.unlock();
        }
    }

    /** Whether clients can write here; false while it is opened again. */
    public boolean isWritablePrimary() {
        lock.lock();
        try {
            return server != null && server.isWritablePrimary();
        } finally {
            lock.unlock();
        }
    }

    /** The connection string of the whole set, for any MongoDB driver. */
    public String connectionString() {
        SetOptions present = set();
        return present == null || present.members().size() < 2
                ? server().connectionString()
                : present.connectionString();
    }

    /** Returns when the member has stopped: by {@link #close}, by a client's {@code shutdown}, or by a failure. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    // ---- opening it again

    /**
     * Closes the server, does something with its data, and starts it again. Returns at once; any thread may call it. What
     * is asked for meanwhile is done afterwards; what is asked for at the end of the member is not done.
     */
    void reopen(String why, BeforeOpen action) {
        lock.lock();
        try {
            if (wanted.size() == REOPENINGS_MAX) {
                throw new IllegalStateException("too much waits until the server is closed: " + why);
            }
            wanted.add(new Reopening(why, action));
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** What waits already opens it again too. */
    private void reopen(String why) {
        lock.lock();
        try {
            if (wanted.isEmpty()) {
                reopen(why, present -> present);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run(Server first) {
        Server running = first;
        try {
            while (awaitReopening()) {
                stopWaiting();
                running.close();
                running = reopened();
            }
            running.close();
        } catch (IOException | RuntimeException | Error e) {
            failed(e);
        } finally {
            end(running);
        }
    }

    /** False at the end. */
    private boolean awaitReopening() {
        lock.lock();
        try {
            while (wanted.isEmpty() && !isClosing) {
                changed.awaitUninterruptibly();
            }
            if (isClosing) {
                return false;
            }
            server = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private Server reopened() throws IOException {
        for (Reopening next = next(); next != null; next = next()) {
            log.info(
                    Log.Component.REPL,
                    "member",
                    "The server is closed and opened again",
                    new BsonWriter().put("reason", next.why).finish());
            use(next.action.run(set()));
        }
        return open();
    }

    private @Nullable Reopening next() {
        lock.lock();
        try {
            return wanted.poll();
        } finally {
            lock.unlock();
        }
    }

    private void use(@Nullable SetOptions changedSet) {
        lock.lock();
        try {
            set = changedSet;
        } finally {
            lock.unlock();
        }
    }

    private void failed(Throwable cause) {
        log.error(Log.Component.REPL, "member", "The server was closed and cannot be opened again; it ends", cause);
        var told = options.fatal();
        if (told != null) {
            told.accept(cause);
        }
    }

    private void stopWaiting() {
        Joining alone = joining;
        if (alone != null) {
            alone.close();
        }
    }

    private void end(Server last) {
        stopWaiting();
        lock.lock();
        try {
            isClosing = true;
            server = server == null ? last : server;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        ended.countDown();
    }

    /** Returns when the server has released its threads, files and ports; a reopening that has begun is finished before. */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        while (true) {
            try {
                ended.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
