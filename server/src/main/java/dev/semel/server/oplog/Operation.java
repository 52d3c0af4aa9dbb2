package dev.semel.server.oplog;

import dev.semel.store.LateEntry;
import dev.semel.store.Stamp;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One change of a transaction on its way into the log. The operations of a transaction become entries together, in the
 * commit: the first one has them all, the others then have nothing to write.
 */
final class Operation implements LateEntry {
    private final EntryGroups groups;
    private final Followers followers;

    /** Whose documents or catalog entries it changes. */
    private final List<Namespace> touched;

    private final boolean isCommand;

    /** The fields {@code op}, {@code ns}, {@code ui}, {@code o} and {@code o2}; further ones are added at the end. */
    private final BsonWriter fields;

    private final byte @Nullable [] image;
    private boolean isPrepared;
    private List<Entry> entries = List.of();
    private Set<Namespace> touchedByAll = Set.of();

    Operation(
            EntryGroups groups,
            Followers followers,
            List<Namespace> touched,
            boolean isCommand,
            BsonWriter fields,
            byte @Nullable [] image) {
        this.groups = groups;
        this.followers = followers;
        this.touched = touched;
        this.isCommand = isCommand;
        this.fields = fields;
        this.image = image;
    }

    boolean isCommand() {
        return isCommand;
    }

    BsonWriter fields() {
        return fields;
    }

    byte @Nullable [] image() {
        return image;
    }

    /** The first is asked first. */
    @Override
    public void prepare(List<LateEntry> all) {
        if (!isPrepared) {
            entries = groups.of(all);
            touchedByAll = touched(all);
        }
    }

    private static Set<Namespace> touched(List<LateEntry> all) {
        Set<Namespace> touched = new LinkedHashSet<>();
        for (LateEntry each : all) {
            if (each instanceof Operation operation) {
                touched.addAll(operation.touched);
            }
        }
        return touched;
    }

    void prepared() {
        isPrepared = true;
    }

    @Override
    public void write(Stamp stamp) {
        long time = stamp.clusterTime();
        long previous = 0;
        for (int i = 0; i < entries.size(); i++) {
            if (i > 0) {
                previous = time;
                time = stamp.nextTime();
            }
            entries.get(i).write(time, previous, stamp);
        }
        if (!entries.isEmpty()) {
            followers.touched(touchedByAll, time);
        }
    }
}
