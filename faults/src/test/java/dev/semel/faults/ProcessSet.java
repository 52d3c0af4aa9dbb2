package dev.semel.faults;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ReadPreference;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.cluster.Cluster;
import dev.semel.cluster.MemberHandle;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Members that are processes of {@code semel serve}, to which everything happens that a schedule says. Used by one thread. */
final class ProcessSet implements AutoCloseable {
    private static final int SIZE = 3;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final long LOOK_NANOS = Duration.ofMillis(50).toNanos();
    private static final int ANSWER_MS_MAX = 2_000;
    private static final int TAIL_BYTES = 2_000;

    private final List<String> command;
    private final Path folder;
    private final List<String> addresses;
    private final List<MongoClient> direct;
    private final MongoClient all;
    private final AbleTime ableTime;
    private final @Nullable Process[] members = new Process[SIZE];
    private final @Nullable Process[] delays = new Process[SIZE];

    /** They may end at any time if they say why. */
    private final Set<Integer> hadFullDisk = new HashSet<>();

    /** The newest one that is known. */
    private int primary;

    /** How many members have ended because their disk was full. */
    private int ends;

    /** @param classPath of the program */
    ProcessSet(String classPath, Path folder) throws IOException {
        this.folder = folder;
        this.addresses = Cluster.freeAddresses(SIZE);
        this.command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath,
                "dev.semel.cli.Start",
                "serve",
                "--quiet",
                "--replSet",
                "rs0",
                "--members",
                String.join(",", addresses));
        direct = addresses.stream()
                .map(each -> client("mongodb://" + each + "/?directConnection=true"))
                .toList();
        all = client(MemberHandle.connectionString(addresses));
        for (int i = 0; i < SIZE; i++) {
            start(i);
        }
        ableTime = new AbleTime(IntStream.range(0, SIZE)
                .<BooleanSupplier>mapToObj(each -> () -> !hello(each).isEmpty())
                .toList());
    }

    private static MongoClient client(String uri) {
        return MongoClients.create(MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .timeout(ANSWER_MS_MAX, TimeUnit.MILLISECONDS)
                .build());
    }

    int size() {
        return SIZE;
    }

    List<String> addresses() {
        return addresses;
    }

    // ---- faults

    void start(int member) throws IOException {
        Path own = Files.createDirectories(own(member));
        String address = addresses.get(member);
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of("--port", address.substring(address.indexOf(':') + 1)));
        words.addAll(List.of("--dbpath", own.resolve("data").toString()));
        members[member] = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(member).toFile()))
                .start();
    }

    private Path own(int member) {
        return folder.resolve("member" + member);
    }

    private Path log(int member) {
        return own(member).resolve("log");
    }

    private Process process(int member) {
        Process process = members[member];
        if (process == null) {
            throw new IllegalStateException("member " + member + " was not started");
        }
        return process;
    }

    boolean isRunning(int member) {
        return process(member).isAlive();
    }

    void kill(int member) {
        process(member).destroyForcibly().onExit().join();
    }

    void terminate(int member) throws InterruptedException {
        Process process = process(member);
        process.toHandle().destroy();
        if (!process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("member " + member + " does not end after SIGTERM");
        }
    }

    void pause(int member) throws IOException, InterruptedException {
        run("kill", "-STOP", Long.toString(process(member).pid()));
    }

    void resume(int member) throws IOException, InterruptedException {
        run("kill", "-CONT", Long.toString(process(member).pid()));
    }

    /** The soft limit, which can be raised again. */
    void limitFiles(int member, String bytes) throws IOException, InterruptedException {
        hadFullDisk.add(member);
        run("prlimit", "--pid", Long.toString(process(member).pid()), "--fsize=" + bytes + ":");
    }

    private static void run(String... words) throws IOException, InterruptedException {
        int code = new ProcessBuilder(words).inheritIO().start().waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", words) + " ends with " + code);
        }
    }

    /** How many members have ended because their disk was full. */
    int ends() {
        return ends;
    }

    void delaySyncs(int member, int delayMs) throws IOException {
        delays[member] = new ProcessBuilder(
                        "strace",
                        "-f",
                        "-qq",
                        "-o",
                        "/dev/null",
                        "-e",
                        "trace=fsync,fdatasync",
                        "-e",
                        "inject=fsync,fdatasync:delay_exit=" + TimeUnit.MILLISECONDS.toMicros(delayMs),
                        "-p",
                        Long.toString(process(member).pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    void endDelays(int member) {
        Process delaying = delays[member];
        if (delaying != null) {
            delaying.destroy();
            delaying.onExit().join();
            delays[member] = null;
        }
    }

    void deleteData(int member) throws IOException {
        Faults.delete(own(member).resolve("data"));
    }

    // ---- what is asked

    /** The primary, or the last one if there is none. */
    int primary() {
        primary = IntStream.range(0, SIZE).filter(this::isPrimary).findFirst().orElse(primary);
        return primary;
    }

    private boolean isPrimary(int member) {
        return isRunning(member) && hello(member).getBoolean("isWritablePrimary", false);
    }

    /** Empty if it does not answer. */
    private Document hello(int member) {
        try {
            return direct.get(member).getDatabase("admin").runCommand(new Document("hello", 1));
        } catch (MongoException e) {
            return new Document();
        }
    }

    /** Time in which a majority answered. */
    long ableNanos() {
        return ableTime.nanos();
    }

    /** For messages: what is known of each. */
    private String describe() {
        return IntStream.range(0, SIZE).mapToObj(this::describe).collect(Collectors.joining("; "));
    }

    private String describe(int member) {
        ProcessHandle.Info info = process(member).info();
        Document hello = hello(member);
        return "member %d %s, is %s, runs since %s with %s of CPU, %s"
                .formatted(
                        member,
                        addresses.get(member),
                        isRunning(member) ? "running" : "ended",
                        info.startInstant().orElse(null),
                        info.totalCpuDuration().orElse(null),
                        hello.isEmpty()
                                ? "no answer"
                                : "secondary: " + hello.get("secondary") + ", primary: " + hello.get("primary"));
    }

    void awaitPrimary() throws IOException {
        await("a primary", () -> IntStream.range(0, SIZE).anyMatch(this::isPrimary));
    }

    /** Until a write is on all members. */
    void awaitCaughtUp() throws IOException {
        await("all members have caught up", () -> {
            try {
                all.getDatabase(FaultySet.DATABASE)
                        .getCollection("caughtUp")
                        .withWriteConcern(new WriteConcern(SIZE))
                        .insertOne(new Document());
                return true;
            } catch (MongoException e) {
                return false;
            }
        });
    }

    /** Between faults. None has ended by itself; a member whose disk was full is started again. */
    void checkRunning() throws IOException {
        for (int i = 0; i < SIZE; i++) {
            if (!isRunning(i)) {
                String tail = tail(i);
                if (!hadFullDisk.remove(i) || !tail.contains("File too large")) {
                    throw new AssertionError("member %d has ended with %d: %s"
                            .formatted(i, process(i).exitValue(), tail));
                }
                ends++;
                start(i);
            }
        }
    }

    /** While nobody writes. */
    void awaitSameContent() throws IOException {
        Set<Object> hashes = new HashSet<>();
        await("the same content on all members", () -> {
            hashes.clear();
            for (int i = 0; i < SIZE; i++) {
                hashes.add(hash(i));
            }
            return hashes.size() == 1;
        });
    }

    private Object hash(int member) {
        try {
            return direct.get(member)
                    .getDatabase(FaultySet.DATABASE)
                    .runCommand(new Document("dbHash", 1), ReadPreference.nearest())
                    .getString("md5");
        } catch (MongoException e) {
            return "none of " + member;
        }
    }

    /** The last lines of its log. */
    private String tail(int member) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log(member).toFile(), "r")) {
            byte[] tail = new byte[(int) Math.min(file.length(), TAIL_BYTES)];
            file.seek(file.length() - tail.length);
            file.readFully(tail);
            return new String(tail, StandardCharsets.UTF_8);
        }
    }

    private void await(String what, BooleanSupplier condition) throws IOException {
        Patience patience = new Patience(ableTime::nanos, SOON);
        while (!condition.getAsBoolean()) {
            checkRunning();
            if (patience.isOver()) {
                throw new AssertionError("not %s: %s; %s".formatted(patience, what, describe()));
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
    }

    @Override
    public void close() {
        ableTime.close();
        direct.forEach(MongoClient::close);
        all.close();
        for (int i = 0; i < SIZE; i++) {
            endDelays(i);
            if (members[i] != null) {
                kill(i);
            }
        }
    }
}
