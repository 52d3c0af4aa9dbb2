package dev.semel.cluster;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A replica set whose members all run in this process: for tests of applications, and to try it out.
 *
 * <pre>{@code
 * try (Cluster cluster = Cluster.start(3)) {
 *     MongoClient client = MongoClients.create(cluster.connectionString());
 *     ...
 *     cluster.stop(cluster.awaitPrimary(Duration.ofSeconds(10)));
 * }
 * }</pre>
 *
 * The data of a member is in memory, or in its own folder; the log that the members agree on is on disk in any case.
 */
public final class Cluster implements AutoCloseable {
    private static final int FREE_PORT_MIN = 20_000;
    private static final int FREE_PORT_MAX = 31_000;
    private static final int FREE_PORT_ATTEMPTS = 1_000;
    private static final int START_ATTEMPTS = 5;

    private static final String NAME = "rs0";
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private final Path folder;
    private final boolean isTemporary;
    private final boolean isDurable;
    private final List<String> addresses;
    private final UnaryOperator<ServerOptions> changes;

    /** Of each member; empty: without. */
    private final List<MemberSecurity> security;

    /** Null where a member does not run; guarded by the list. */
    private final List<@Nullable Member> members = new ArrayList<>();

    private Cluster(
            Path folder,
            boolean isTemporary,
            boolean isDurable,
            List<String> addresses,
            UnaryOperator<ServerOptions> changes,
            List<MemberSecurity> security) {
        this.folder = folder;
        this.isTemporary = isTemporary;
        this.isDurable = isDurable;
        this.addresses = addresses;
        this.changes = changes;
        this.security = security;
        addresses.forEach(each -> members.add(null));
    }

    /** So many members on free ports of the loopback address, with their data in memory. */
    public static Cluster start(int members) throws IOException {
        for (int i = 1; ; i++) {
            try {
                return start(new Cluster(
                        Files.createTempDirectory("semel-cluster"),
                        true,
                        false,
                        freeAddresses(members),
                        UnaryOperator.identity(),
                        List.of()));
            } catch (BindException e) {
                // Between the look for free ports and their use, another process may take one.
                if (i == START_ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** The same with the data in a folder, where the next start finds it if the addresses are the same. */
    public static Cluster start(List<String> addresses, Path folder) throws IOException {
        return start(new Cluster(folder, false, true, List.copyOf(addresses), UnaryOperator.identity(), List.of()));
    }

    /** With other options than the usual ones. */
    static Cluster start(int members, Path folder, boolean isDurable, UnaryOperator<ServerOptions> changes)
            throws IOException {
        return start(new Cluster(folder, false, isDurable, freeAddresses(members), changes, List.of()));
    }

    /** As many members as there are, each with its own. */
    static Cluster start(List<MemberSecurity> security) throws IOException {
        return start(new Cluster(
                Files.createTempDirectory("semel-cluster"),
                true,
                false,
                freeAddresses(security.size()),
                UnaryOperator.identity(),
                security));
    }

    private static Cluster start(Cluster cluster) throws IOException {
        try {
            for (int i = 0; i < cluster.addresses.size(); i++) {
                cluster.restart(i);
            }
            return cluster;
        } catch (IOException | RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /**
     * Ports for clients; members listen for each other a fixed distance above, where nobody else may listen either. They are
     * not those that the operating system gives to outgoing connections: it could do that while a member does not run.
     */
    public static List<String> freeAddresses(int count) throws IOException {
        RandomGenerator random = RandomGenerator.getDefault();
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        try {
            for (int i = 0; addresses.size() < count; i++) {
                int port = random.nextInt(FREE_PORT_MIN, FREE_PORT_MAX);
                try {
                    sockets.add(listen(port));
                    sockets.add(listen(port + SetOptions.PORT_OFFSET));
                    addresses.add("127.0.0.1:" + port);
                } catch (IOException e) {
                    if (i == FREE_PORT_ATTEMPTS) {
                        throw e;
                    }
                }
            }
        } finally {
            for (ServerSocket each : sockets) {
                each.close();
            }
        }
        return addresses;
    }

    private static ServerSocket listen(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    // ---- members, from 0

    /** Starts a member that does not run, with what it has on disk. */
    public void restart(int member) throws IOException {
        synchronized (members) {
            if (members.get(member) == null) {
                members.set(member, startMember(member));
            }
        }
    }

    private Member startMember(int member) throws IOException {
        String self = addresses.get(member);
        Path own = Files.createDirectories(folder.resolve("member" + member));
        ServerOptions options = isDurable ? ServerOptions.directory(own.resolve("data")) : ServerOptions.memory();
        int port = Integer.parseInt(self.substring(self.lastIndexOf(':') + 1));
        SetOptions set = new SetOptions(
                NAME,
                addresses,
                self,
                own.resolve("log"),
                SetOptions.ELECTION_TIMEOUT,
                security.isEmpty() ? null : security.get(member));
        return Member.start(changes.apply(options.port(port)), set);
    }

    /** Stops a member; if it is the primary, another one takes over first, or else the others elect one. */
    public void stop(int member) {
        Member stopped;
        synchronized (members) {
            stopped = members.set(member, null);
        }
        if (stopped != null) {
            stopped.close();
        }
    }

    /** The server of a member; null if it does not run. While it is opened again on other data, the call waits. */
    public @Nullable Server member(int member) {
        Member found = running(member);
        return found == null ? null : found.server();
    }

    /** Null if it does not run. */
    @Nullable
    Member running(int member) {
        synchronized (members) {
            return members.get(member);
        }
    }

    /** How many members the set has, whether they run or not. */
    public int size() {
        return addresses.size();
    }

    /** Which member accepts writes, as soon as one does. */
    public int awaitPrimary(Duration atMost) throws TimeoutException {
        long end = System.nanoTime() + atMost.toNanos();
        while (System.nanoTime() < end) {
            int primary = primary();
            if (primary >= 0) {
                return primary;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        throw new TimeoutException("no member was elected within " + atMost);
    }

    /** -1 if there is none at the moment. */
    private int primary() {
        for (int i = 0; i < size(); i++) {
            Member each = running(i);
            if (each != null && each.isWritablePrimary()) {
                return i;
            }
        }
        return -1;
    }

    /** For any MongoDB driver. */
    public String connectionString() {
        return "mongodb://" + String.join(",", addresses) + "/?replicaSet=" + NAME;
    }

    /** Stops all members; deletes what is on disk, unless the folder was given. */
    @Override
    public void close() throws IOException {
        // The primary last: nobody is to take over from it. Each waits for threads of the engine that look up once a
        // second.
        int primary = primary();
        try (ExecutorService closing = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < size(); i++) {
                int member = i;
                if (member != primary) {
                    closing.execute(() -> stop(member));
                }
            }
        }
        if (primary >= 0) {
            stop(primary);
        }
        if (isTemporary) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(each);
                }
            }
        }
    }
}
