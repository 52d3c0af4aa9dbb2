package dev.semel.replication.ratis;

import dev.semel.replication.GroupId;
import dev.semel.replication.Member;
import dev.semel.replication.Membership;
import dev.semel.replication.MutualTls;
import dev.semel.replication.Outcome;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members in this JVM, each with its own node, folder and state. */
final class LocalSet implements AutoCloseable {
    private static final long DEADLINE_SECONDS = 30;
    private static final int FREE_PORT_MIN = 20_000;
    private static final int FREE_PORT_MAX = 32_000;
    private static final int SEGMENT_BYTES = 64 << 10;
    static final int ENTRY_BYTES_MAX = 1 << 20;
    private static final long CATCH_UP_BYTES = 2 << 20;

    /** Not through SLF4J: it reports each connection that a test breaks. Held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

    static {
        GRPC.setLevel(Level.OFF);
    }

    static final GroupId GROUP = new GroupId(new UUID(0x5e3e1, 1));

    /** A member as long as its process runs. */
    record Running(RatisNode node, ReplicationEngine engine, AtomicReference<@Nullable Throwable> fatal) {}

    final Network network = new Network();
    final LostReply lostReply = new LostReply();
    final HeldCheckpoint heldCheckpoint = new HeldCheckpoint();
    final Map<String, Member> members = new LinkedHashMap<>();
    private final Map<String, ListState> states = new ConcurrentHashMap<>();
    private final Map<String, Running> running = new ConcurrentSkipListMap<>();
    private final Path folder;
    private final @Nullable MutualTls tls;
    private final long snapshotBytes;

    private LocalSet(Path folder, @Nullable MutualTls tls, long snapshotBytes) {
        this.folder = folder;
        this.tls = tls;
        this.snapshotBytes = snapshotBytes;
    }

    static LocalSet empty(Path folder) {
        return new LocalSet(folder, null, Long.MAX_VALUE);
    }

    static LocalSet ofThree(Path folder) throws IOException {
        return ofThree(folder, null);
    }

    static LocalSet ofThree(Path folder, @Nullable MutualTls tls) throws IOException {
        return ofThree(new LocalSet(folder, tls, Long.MAX_VALUE));
    }

    /** Saves a checkpoint after so many bytes. */
    static LocalSet ofThree(Path folder, long snapshotBytes) throws IOException {
        return ofThree(new LocalSet(folder, null, snapshotBytes));
    }

    private static LocalSet ofThree(LocalSet set) throws IOException {
        Stream.of("a", "b", "c").forEach(set::add);
        for (String name : set.members.keySet()) {
            set.start(name, set.all());
        }
        return set;
    }

    Membership all() {
        return new Membership(List.copyOf(members.values()), List.of());
    }

    Member add(String name) {
        int port = freePort();
        while (isTaken(port)) {
            port = freePort();
        }
        var member = new Member(name, "127.0.0.1", port, 0);
        members.put(name, member);
        return member;
    }

    /** By a member that may not listen yet. */
    private boolean isTaken(int port) {
        return members.values().stream().anyMatch(each -> each.port() == port);
    }

    Member member(String name) {
        return Objects.requireNonNull(members.get(name), name);
    }

    /** None that the operating system gives to outgoing connections, as it might do while a member does not run. */
    static int freePort() {
        while (true) {
            int port = RandomGenerator.getDefault().nextInt(FREE_PORT_MIN, FREE_PORT_MAX);
            try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // Another one, then.
            }
        }
    }

    private ReplicationOptions options(String name) {
        return ReplicationOptions.of(name, "127.0.0.1", member(name).port(), folder.resolve(name))
                .withLog(SEGMENT_BYTES, snapshotBytes, snapshotBytes, CATCH_UP_BYTES)
                .withLimits(ENTRY_BYTES_MAX, 4 * ENTRY_BYTES_MAX);
    }

    Running start(String name, Membership initial) throws IOException {
        return start(name, initial, options(name));
    }

    /** It follows, but asks to be elected only after so long. */
    Running startPatient(String name, Membership initial, Duration electionTimeout) throws IOException {
        return start(name, initial, options(name).withElectionTimeout(electionTimeout));
    }

    private Running start(String name, Membership initial, ReplicationOptions options) throws IOException {
        var node = RatisNode.start(
                tls == null ? options : options.withTls(tls),
                List.of(new Arrivals(name, network), lostReply, heldCheckpoint));
        var fatal = new AtomicReference<@Nullable Throwable>();
        var started = new Running(
                node,
                node.open(GROUP, initial, states.computeIfAbsent(name, each -> new ListState()), fatal::set),
                fatal);
        running.put(name, started);
        return started;
    }

    /** Closes a member that nobody hears any more: to the others it is a process that was killed. */
    void kill(String name) {
        network.cut(name);
        stop(List.of(name));
    }

    void stop(String name) {
        stop(List.of(name));
    }

    private void stop(List<String> names) {
        var nodes = names.stream().map(name -> running(name).node()).toList();
        names.forEach(running::remove);
        close(nodes);
    }

    /** At the same time, because each waits for the others' connections. */
    static void close(List<? extends ReplicationNode> nodes) {
        try (var threads =
                Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory())) {
            nodes.forEach(node -> threads.execute(node::close));
        }
    }

    void loseState(String name) {
        states.put(name, new ListState());
    }

    ListState state(String name) {
        return Objects.requireNonNull(states.get(name), name);
    }

    ReplicationEngine engine(String name) {
        return running(name).engine();
    }

    Running running(String name) {
        return Objects.requireNonNull(running.get(name), name);
    }

    List<String> names() {
        return List.copyOf(running.keySet());
    }

    List<String> followers(String leader) {
        return names().stream().filter(name -> !name.equals(leader)).toList();
    }

    /** Of those that run, except these. */
    String leader(String... except) {
        var found = new AtomicReference<String>();
        await("a leader", () -> {
            running.entrySet().stream()
                    .filter(each -> !List.of(except).contains(each.getKey()))
                    .filter(each -> each.getValue().engine().role().isWritable()
                            && state(each.getKey()).writableTerm() != 0)
                    .findFirst()
                    .ifPresent(each -> found.set(each.getKey()));
            return found.get() != null;
        });
        return found.get();
    }

    /** Refused by a member that was stopped meanwhile. */
    Future<Outcome> propose(String leader, String entry) {
        var member = running.get(leader);
        return member == null
                ? CompletableFuture.completedFuture(new Outcome.NotWritable(leader + " does not run"))
                : member.engine()
                        .propose(
                                entry.getBytes(StandardCharsets.UTF_8),
                                state(leader).writableTerm());
    }

    /** Through whichever member leads, until it is applied. */
    void write(String entry) {
        await("a write", () -> get(propose(leader(), entry)) instanceof Outcome.Applied);
    }

    List<String> writeMany(String prefix, int count) {
        var written = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            written.add(prefix + i);
            write(prefix + i);
        }
        return written;
    }

    static <T> T get(Future<T> future) {
        try {
            return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("No outcome", e);
        }
    }

    static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Waited in vain for " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** An entry that {@link #write} has sent again, since its first outcome is unknown, may be there twice. */
    void awaitEntries(String name, List<String> expected) {
        try {
            await(name + " to have all entries", () -> {
                var found = state(name).entries();
                return found.equals(expected) || withoutRepeats(found).equals(expected);
            });
        } catch (AssertionError e) {
            var found = state(name).entries();
            throw new AssertionError(
                    "%s has %d entries instead of %d, role %s"
                            .formatted(
                                    name,
                                    found.size(),
                                    expected.size(),
                                    engine(name).role()),
                    e);
        }
    }

    private static List<String> withoutRepeats(List<String> entries) {
        var kept = new ArrayList<String>();
        for (String each : entries) {
            if (kept.isEmpty() || !kept.getLast().equals(each)) {
                kept.add(each);
            }
        }
        return kept;
    }

    @Override
    public void close() {
        network.heal();
        stop(names());
    }
}
