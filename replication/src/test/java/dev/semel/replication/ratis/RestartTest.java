package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.replication.Completion;
import dev.semel.replication.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members that go and come back. */
class RestartTest {
    private static final Pattern LOG_FILE = Pattern.compile("log(?:_inprogress)?_(\\d+)(?:-\\d+)?");
    private static final String LONG = "x".repeat(4000);

    @TempDir
    Path folder;

    @Test
    void replayLeavesOutWhatTheStateHas() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("first ", 20);
            for (String name : set.names()) {
                // Otherwise a state that is behind would hide a replay from the beginning.
                set.awaitEntries(name, written);
            }
            for (String name : set.names()) {
                set.stop(name);
            }
            for (String name : set.members.keySet()) {
                set.start(name, set.all());
            }
            written.addAll(set.writeMany("second ", 20));
            set.names().forEach(name -> set.awaitEntries(name, written));
        }
    }

    @Test
    void stateThatWasLostComesBackFromTheLog() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("entry ", 20);
            var follower = set.followers(set.leader()).getFirst();
            set.awaitEntries(follower, written);
            set.stop(follower);
            set.loseState(follower);
            set.start(follower, set.all());
            set.awaitEntries(follower, written);
        }
    }

    @Test
    void stateThatWasLostComesBackFromTheCheckpointAndTheRestOfTheLog() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("before ", 20);
            var follower = set.followers(set.leader()).getFirst();
            set.awaitEntries(follower, written);
            assertThat(LocalSet.get(set.engine(follower).snapshot())).isEqualTo(new Completion.Done());
            written.addAll(set.writeMany("after ", 20));
            set.awaitEntries(follower, written);
            set.stop(follower);
            set.loseState(follower);
            set.start(follower, set.all());
            set.awaitEntries(follower, written);
            assertThat(set.state(follower).loaded).hasValue(1);
        }
    }

    @Test
    void memberThatWasAwayPastTheLogComesBackByCheckpoint() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("early ", 5);
            var away = set.followers(set.leader()).getFirst();
            set.awaitEntries(away, written);
            set.stop(away);
            // Several segments, so that the log has something to cut.
            written.addAll(set.writeMany(LONG, 60));
            for (String name : set.names()) {
                set.awaitEntries(name, written);
                long before = logBytes(name);
                assertThat(LocalSet.get(set.engine(name).snapshot())).isEqualTo(new Completion.Done());
                LocalSet.await("a shorter log", () -> logBytes(name) < before - 100_000);
            }
            written.addAll(set.writeMany("late ", 5));
            set.start(away, set.all());
            set.awaitEntries(away, written);
            assertThat(set.state(away).loaded).hasValue(1);
            written.addAll(set.writeMany("last ", 5));
            set.awaitEntries(away, written);
            // What it received serves after a restart as well.
            set.stop(away);
            set.loseState(away);
            set.start(away, set.all());
            set.awaitEntries(away, written);
        }
    }

    @Test
    void checkpointsAreSavedByBytesAndTheLogStaysShort() throws Exception {
        try (var set = LocalSet.ofThree(folder, 100_000)) {
            var written = new ArrayList<String>();
            for (int round = 0; round < 4; round++) {
                var before = set.names().stream()
                        .collect(Collectors.toMap(
                                name -> name, name -> set.state(name).saved.get()));
                written.addAll(set.writeMany(round + LONG, 50));
                for (String name : set.names()) {
                    LocalSet.await("a checkpoint", () -> set.state(name).saved.get() > before.getOrDefault(name, 0));
                }
            }
            for (String name : set.names()) {
                set.awaitEntries(name, written);
                // Two rounds at most: in each of them a checkpoint was saved.
                LocalSet.await("a short log", () -> logBytes(name) < 500_000);
                // A third one is there until the oldest is deleted.
                LocalSet.await("two checkpoints at most", () -> checkpoints(name) <= 2);
            }
        }
    }

    /** As when the disk was full, which ends a member. */
    @Test
    void memberWithHalfAnEntryAtTheEndOfItsLogComesBack() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("entry ", 5);
            var away = set.followers(set.leader()).getFirst();
            set.awaitEntries(away, written);
            set.stop(away);
            var log = lastFileOfLog(away);
            var bytes = Files.readAllBytes(log);
            int end = bytes.length;
            while (bytes[end - 1] == 0) {
                end--;
            }
            Arrays.fill(bytes, end - 8, end, (byte) 0);
            Files.write(log, bytes);
            set.start(away, set.all());
            written.addAll(set.writeMany("after ", 5));
            set.awaitEntries(away, written);
        }
    }

    /** It may have acknowledged the entry. */
    @Test
    void memberWithADamagedLogIsRefused() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("entry ", 5);
            var away = set.followers(set.leader()).getFirst();
            set.awaitEntries(away, written);
            set.stop(away);
            var log = lastFileOfLog(away);
            var bytes = Files.readAllBytes(log);
            bytes[new String(bytes, StandardCharsets.ISO_8859_1).lastIndexOf("entry 4")]++;
            Files.write(log, bytes);
            assertThatThrownBy(() -> set.start(away, set.all()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("Cannot open the log in " + folder.resolve(away) + ": Log entry corrupted");
            assertThat(log).hasBinaryContent(bytes);
        }
    }

    private Path lastFileOfLog(String member) throws IOException {
        try (var files = Files.walk(folder.resolve(member))) {
            return files.filter(each -> each.getFileName().toString().startsWith("log_"))
                    .max(Comparator.comparingLong(each -> each.toFile().lastModified()))
                    .orElseThrow();
        }
    }

    /** Ratis takes a checkpoint while it starts a member, and does not start it then. */
    @Test
    void memberThatIsSentACheckpointWhileItStartsComesBack() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var written = set.writeMany("before ", 5);
            var away = set.followers(set.leader()).getFirst();
            set.awaitEntries(away, written);
            assertThat(LocalSet.get(set.engine(away).snapshot())).isEqualTo(new Completion.Done());
            set.stop(away);
            set.loseState(away);
            written.addAll(set.writeMany(LONG, 60));
            for (String name : set.names()) {
                set.awaitEntries(name, written);
                assertThat(LocalSet.get(set.engine(name).snapshot())).isEqualTo(new Completion.Done());
            }
            var state = set.state(away);
            state.mayLoad.lock();
            try (var starting = Executors.newSingleThreadExecutor()) {
                var started = starting.submit(() -> set.start(away, set.all()));
                LocalSet.await("its own checkpoint being loaded", () -> state.loaded.get() == 1);
                long longEnough = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
                LocalSet.await(
                        "the leader's checkpoint, or that it is refused",
                        () -> set.heldCheckpoint.isHeld() || System.nanoTime() > longEnough);
                state.mayLoad.unlock();
                assertThat(LocalSet.get(started)).isNotNull();
            }
            set.awaitEntries(away, written);
            assertThat(state.loaded).hasValue(2);
        }
    }

    /** It comes in several messages. */
    @Test
    void largeCheckpointArrives() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            var away = set.followers(set.leader()).getFirst();
            set.stop(away);
            var written = set.writeMany("y".repeat(600_000), 6);
            for (String name : set.names()) {
                set.awaitEntries(name, written);
                assertThat(LocalSet.get(set.engine(name).snapshot())).isEqualTo(new Completion.Done());
            }
            LocalSet.await("a short log", () -> set.names().stream().allMatch(name -> logBytes(name) < 1_000_000));
            written.addAll(set.writeMany("late ", 5));
            set.start(away, set.all());
            set.awaitEntries(away, written);
            assertThat(set.state(away).loaded).hasValue(1);
        }
    }

    /** Or the member would need another one, and never catch up while much is written. */
    @Test
    void logIsKeptFromACheckpointThatIsBeingSent() throws Exception {
        try (var set = LocalSet.ofThree(folder, 100_000)) {
            var away = set.followers(set.leader()).getFirst();
            set.stop(away);
            var written = new ArrayList<>(writeWithCheckpoints(set, 3));
            set.heldCheckpoint.hold();
            set.start(away, set.all());
            LocalSet.await("a checkpoint on its way", set.heldCheckpoint::isHeld);
            written.addAll(writeWithCheckpoints(set, 4));
            // Where it is slow, the leader may have given that one up and sent a newer one.
            LocalSet.await(
                    "a log from the checkpoint that is held",
                    () -> firstOfLog(set.leader()) <= set.heldCheckpoint.index() + 1);
            set.heldCheckpoint.release();
            set.awaitEntries(away, written);
            assertThat(set.state(away).loaded).hasPositiveValue();
            // And no longer.
            written.addAll(writeWithCheckpoints(set, 4));
            set.awaitEntries(away, written);
            for (String name : set.names()) {
                LocalSet.await("a short log", () -> logBytes(name) < 500_000);
            }
        }
    }

    /** With a checkpoint of the leader after each. */
    private static List<String> writeWithCheckpoints(LocalSet set, int count) {
        var written = new ArrayList<String>();
        var leader = set.state(set.leader());
        for (int i = 0; i < count; i++) {
            int before = leader.saved.get();
            written.addAll(set.writeMany(i + LONG, 30));
            LocalSet.await("a checkpoint", () -> leader.saved.get() > before);
        }
        return written;
    }

    /** The log reaches back to the checkpoint before the newest, so that who is slow for a moment needs none. */
    @Test
    void memberThatLagsByLessThanACheckpointGetsTheLog() throws Exception {
        try (var set = LocalSet.ofThree(folder, 100_000)) {
            var written = new ArrayList<>(set.writeMany(LONG, 50));
            var away = set.followers(set.leader()).getFirst();
            set.awaitEntries(away, written);
            set.stop(away);
            written.addAll(set.writeMany("more " + LONG, 30));
            for (String name : set.names()) {
                LocalSet.await("a checkpoint", () -> set.state(name).saved.get() >= 2);
            }
            set.start(away, set.all());
            set.awaitEntries(away, written);
            assertThat(set.state(away).loaded).hasValue(0);
        }
    }

    private long logBytes(String member) {
        return sizes(member, "log");
    }

    /** The index of the entry. */
    private long firstOfLog(String member) {
        try (var files = Files.list(group(member).resolve("current"))) {
            return files.map(file -> LOG_FILE.matcher(file.getFileName().toString()))
                    .filter(Matcher::matches)
                    .mapToLong(name -> Long.parseLong(name.group(1)))
                    .min()
                    .orElseThrow();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private long sizes(String member, String prefix) {
        try (var files = Files.list(group(member).resolve("current"))) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .mapToLong(RestartTest::size)
                    .sum();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A file that has just been deleted has none. */
    private static long size(Path file) {
        return file.toFile().length();
    }

    private long checkpoints(String member) {
        try (var folders = Files.list(group(member).resolve("sm"))) {
            return folders.count();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private Path group(String member) {
        return folder.resolve(member).resolve(LocalSet.GROUP.toString());
    }

    /** Even if nothing else is written: the leader learns that the follower has the entry. */
    @Test
    void entryWhoseReplyIsLostIsCommitted() throws Exception {
        try (var set = LocalSet.ofThree(folder)) {
            String leader = set.leader();
            set.write("first");
            set.stop(set.followers(leader).getFirst());
            set.lostReply.arm();
            assertThat(LocalSet.get(set.propose(leader, "second"))).isInstanceOf(Outcome.Applied.class);
            assertThat(set.lostReply.isLost()).isTrue();
        }
    }
}
