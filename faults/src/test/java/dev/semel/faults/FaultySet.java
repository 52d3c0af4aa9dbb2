package dev.semel.faults;

import dev.semel.cluster.Cluster;
import dev.semel.cluster.MemberHandle;
import dev.semel.server.LocalConnection;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Members in this JVM to which everything happens that a schedule says. Used by one thread. */
final class FaultySet implements AutoCloseable {
    static final String DATABASE = "test";
    private static final long LOOK_NANOS = Duration.ofMillis(5).toNanos();

    private static final Duration SOON = Duration.ofSeconds(30);

    final Network network = new Network();
    final Office office;
    private final List<String> addresses;
    private final Path folder;
    private final boolean isDurable;
    private final Plant plant;
    private final List<MovedClock> clocks = new ArrayList<>();

    /** Null where a member does not run. */
    private final List<@Nullable MemberHandle> members = new ArrayList<>();

    /** The newest one that is known. */
    private int primary;

    /** @param isDurable whether the members keep their data on disk, or only their log */
    FaultySet(Path folder, int size, boolean isDurable, Plant plant) throws IOException {
        this.folder = folder;
        this.isDurable = isDurable;
        this.plant = plant;
        this.addresses = Cluster.freeAddresses(size);
        this.office = new Office(addresses);
        for (int i = 0; i < size; i++) {
            clocks.add(new MovedClock());
            members.add(null);
        }
        for (int i = 0; i < size; i++) {
            start(i);
        }
    }

    int size() {
        return addresses.size();
    }

    String address(int member) {
        return addresses.get(member);
    }

    List<String> addresses() {
        return addresses;
    }

    MovedClock clock(int member) {
        return clocks.get(member);
    }

    void start(int member) throws IOException {
        if (members.get(member) == null) {
            members.set(
                    member,
                    MemberHandle.start(
                            addresses,
                            addresses.get(member),
                            Files.createDirectories(folder(member)),
                            isDurable,
                            clocks.get(member),
                            options -> plant.engine(options, network),
                            plant::opened));
        }
    }

    /** To a member that runs, whatever it is. */
    LocalConnection connect(int member) {
        return Objects.requireNonNull(members.get(member)).server().connect();
    }

    private Path folder(int member) {
        return folder.resolve("member" + member);
    }

    void stop(int member) {
        MemberHandle stopped = members.set(member, null);
        if (stopped != null) {
            stopped.close();
        }
    }

    void reopen(int member) {
        MemberHandle reopened = members.get(member);
        if (reopened != null) {
            reopened.reopen();
        }
    }

    /** The member has to get everything from the others. */
    void rebuild(int member) throws IOException {
        stop(member);
        delete(folder(member));
        start(member);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }

    /** Until it belongs to the set again. */
    void add(int member) {
        await("a member is added again", SOON, () -> office.add(primary(), member));
    }

    void endDelay(int member) {
        await("a member is not delayed any more", SOON, () -> office.delay(primary(), member, 0));
    }

    /** Until a write is on all members. */
    void awaitCaughtUp() {
        await("all members have caught up", SOON, () -> office.isOnAll(primary()));
    }

    /** The primary, or the last one if there is none. */
    int primary() {
        primary = IntStream.range(0, size()).filter(this::isPrimary).findFirst().orElse(primary);
        return primary;
    }

    private boolean isPrimary(int member) {
        MemberHandle running = members.get(member);
        return running != null && running.isWritablePrimary();
    }

    void awaitPrimary(Duration atMost) {
        await("a primary", atMost, () -> IntStream.range(0, size()).anyMatch(this::isPrimary));
    }

    /** Of members that all run, while nobody writes. */
    void awaitSameContent(Duration atMost) {
        await("the same content on all members", atMost, () -> hashes().size() == 1);
    }

    private Set<Value> hashes() {
        Set<Value> hashes = new HashSet<>();
        for (int i = 0; i < size(); i++) {
            MemberHandle member = Objects.requireNonNull(members.get(i));
            try (LocalConnection connection = member.server().connect()) {
                BsonWriter command = new BsonWriter().put("dbHash", 1).put("$db", DATABASE);
                command.startDocument("$readPreference").put("mode", "nearest").end();
                Value hash = connection.run(command.finish()).get("md5");
                // No answer while it is opened again; then the member differs from the others.
                hashes.add(hash == null ? Value.of(i) : hash);
            }
        }
        return hashes;
    }

    private static void await(String what, Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within %d s: %s".formatted(atMost.toSeconds(), what));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        office.close();
        network.heal();
        for (int i = 0; i < size(); i++) {
            stop(i);
        }
    }
}
