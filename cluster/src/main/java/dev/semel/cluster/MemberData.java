package dev.semel.cluster;

import dev.semel.replication.GroupId;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.server.replica.Replication;
import dev.semel.server.status.Log;
import dev.semel.store.Batch;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import dev.semel.store.Store;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The data of a member. It outlives the server also where it is in memory. Where the consensus log begins behind it, because
 * this member was away for long or has lost its data, the checkpoint with which the log begins takes its place, whenever it
 * is opened: there is no other way in which data is replaced, so it does not matter when the process ended. Used by one thread
 * at a time.
 */
final class MemberData {
    private final @Nullable Path directory;
    private final Log log;
    private @Nullable Store inMemory;

    /** @param directory null if it is in memory */
    MemberData(@Nullable Path directory, Log log) {
        this.directory = directory;
        this.log = log;
    }

    Store open(Replication.Data where, SetOptions set) throws IOException {
        prepareJoining(set);
        Path checkpoint = RatisNode.newestCheckpoint(set.folder(), new GroupId(set.group()));
        Store present = present(where);
        try {
            SavedData saved = checkpoint == null ? null : SavedData.read(checkpoint);
            if (saved == null || !saved.isNewerThan(present.position().log())) {
                return checked(present, set);
            }
            saved.check(set.name(), directory != null);
            present.close();
            // Or there would be two of it in memory.
            inMemory = null;
            return replaced(saved, where);
        } catch (IOException | RuntimeException e) {
            present.close();
            throw e;
        }
    }

    /** The data with which a set begins has its first position; data that is not the set's has none. */
    private Store checked(Store present, SetOptions set) throws IOException {
        Position reached = present.position();
        if (reached.sequence() == 0 || !reached.log().equals(LogPosition.NONE) || isBegun(set)) {
            return present;
        }
        if (!set.isFounder()) {
            throw new IOException(
                    "the folder %s has data that no other member of the replica set '%s' has: to begin the set with this data, start this server without --members and add the others by rs.add; to begin with nothing, take an empty --dbpath"
                            .formatted(directory, set.name()));
        }
        Batch first = new Batch();
        first.position(new Position(reached.term(), reached.sequence(), reached.clusterTime(), new LogPosition(0, 0)));
        present.write(first, true);
        return present;
    }

    /** A member that joins begins with nothing: what was written before it was one is not in the log of the set. */
    private void prepareJoining(SetOptions set) throws IOException {
        Path own = directory;
        if (own == null || !set.members().isEmpty() || isBegun(set) || !Files.exists(own)) {
            return;
        }
        try (Stream<Path> children = Files.list(own)) {
            for (Path each :
                    children.filter(each -> !set.folder().startsWith(each)).toList()) {
                delete(each);
            }
        }
    }

    private static boolean isBegun(SetOptions set) {
        return Files.exists(set.folder().resolve(set.group().toString()));
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }

    private Store present(Replication.Data where) throws IOException {
        Store kept = inMemory;
        if (kept != null) {
            return kept;
        }
        Store opened = where.open();
        inMemory = directory == null ? opened : null;
        return opened;
    }

    private Store replaced(SavedData saved, Replication.Data where) throws IOException {
        Store installed = saved.install(directory);
        inMemory = installed;
        log.info(
                Log.Component.REPL,
                "member",
                "The data was replaced by a checkpoint",
                new BsonWriter()
                        .put("set", saved.set())
                        .put("term", saved.position().term())
                        .put("index", saved.position().index())
                        .finish());
        return installed == null ? where.open() : installed;
    }
}
