package dev.semel.replication.ratis;

import dev.semel.replication.Outcome;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** What a caller wants in the log. Ratis hands it through as the message of a request. */
final class Proposal implements Message {
    private final ByteString content;
    private final long expectedTerm;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    /** From here on the entry may be committed. Written by the proposing thread, read by any. */
    private volatile boolean appended;

    Proposal(byte[] entry, long expectedTerm) {
        this.content = UnsafeByteOperations.unsafeWrap(entry);
        this.expectedTerm = expectedTerm;
    }

    @Override
    public ByteString getContent() {
        return content;
    }

    long expectedTerm() {
        return expectedTerm;
    }

    void appended() {
        appended = true;
    }

    boolean isAppended() {
        return appended;
    }

    CompletableFuture<Outcome> outcome() {
        return outcome;
    }

    /** A failure that says nothing of the entry: what it means depends on whether the entry is in the log. */
    void fail(String reason) {
        outcome.complete(appended ? new Outcome.Unknown(reason) : new Outcome.NotWritable(reason));
    }
}
