package dev.semel.cluster;

import dev.semel.replication.GroupId;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.server.replica.Replication;
import dev.semel.server.status.Log;
import dev.semel.store.Store;
import dev.semel.wire.bson.BsonWriter;
import java.io.IOException;
import java.nio.file.Path;
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
        Path checkpoint = RatisNode.newestCheckpoint(set.folder(), new GroupId(set.group()));
        Store present = present(where);
        try {
            SavedData saved = checkpoint == null ? null : SavedData.read(checkpoint);
            if (saved == null || !saved.isNewerThan(present.position().log())) {
                return present;
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
