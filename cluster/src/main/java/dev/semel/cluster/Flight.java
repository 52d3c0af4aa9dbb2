package dev.semel.cluster;

import dev.semel.store.Commit;
import dev.semel.store.CommitRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Commits in flight together: with positions, proposed as one entry of the log or, if it is one long commit, as
 * several. A plain holder; {@link CommitPipeline} guards it.
 */
final class Flight {
    /** In one entry. */
    static final int COMMITS_MAX = 512;

    /** In one entry; a longer commit has its own entry, or several. */
    static final long PACKED_BYTES_MAX = 1 << 20;

    final List<CommitRecord> records;
    final List<Commit> commits;

    /** The sequence numbers with which groups end that were applied ahead; none if this is applied when the log has it. */
    final long[] ahead;

    final long bytes;

    /** Entries without an outcome, and one more while others are still to be proposed; guarded by the pipeline's lock. */
    int outstanding;

    Flight(List<CommitRecord> records, List<Commit> commits, long[] ahead, long bytes) {
        this.records = records;
        this.commits = commits;
        this.ahead = ahead;
        this.bytes = bytes;
    }

    boolean isAhead() {
        return ahead.length > 0;
    }

    long time() {
        return records.getLast().clusterTime();
    }

    /** Whether this is what has arrived: an entry of some of its commits is not. */
    boolean is(EntryCodec.Content content) {
        return records.size() == content.commits()
                && records.getFirst().place().term() == content.term()
                && records.getFirst().place().sequence() == content.sequence();
    }

    /** In one entry with so many commits of such a size. */
    boolean fitsBehind(int commits, long commitBytes) {
        return isAhead() && commits + records.size() <= COMMITS_MAX && commitBytes + bytes <= PACKED_BYTES_MAX;
    }

    static Flight of(List<Flight> several) {
        List<CommitRecord> records = new ArrayList<>();
        List<Commit> commits = new ArrayList<>();
        long bytes = 0;
        for (Flight each : several) {
            records.addAll(each.records);
            commits.addAll(each.commits);
            bytes += each.bytes;
        }
        long[] ahead = several.stream()
                .flatMapToLong(each -> LongStream.of(each.ahead))
                .toArray();
        return new Flight(records, commits, ahead, bytes);
    }
}
