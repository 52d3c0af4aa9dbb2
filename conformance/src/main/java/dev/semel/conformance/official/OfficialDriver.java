package dev.semel.conformance.official;

import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.adapter.Failure;
import dev.semel.conformance.adapter.Listener;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** MongoDB's {@code mongodb-driver-sync}. What fails with it and with ours alike is the server's fault. */
public final class OfficialDriver implements Driver {
    private static final String NO_HELPER = "the driver has no such helper";
    private static final String NO_ARGUMENT = "the driver has no such option";

    @Override
    public String name() {
        return "mongodb-driver-sync";
    }

    @Override
    public Map<String, String> missing() {
        return Map.ofEntries(
                Map.entry("client.listDatabaseObjects", NO_HELPER),
                Map.entry("database.listCollectionObjects", NO_HELPER),
                Map.entry("collection.count", NO_HELPER),
                Map.entry("collection.listIndexNames", NO_HELPER),
                Map.entry("database.runCursorCommand", NO_HELPER),
                Map.entry("database.createCommandCursor", NO_HELPER),
                Map.entry("bucket.deleteByName", NO_HELPER),
                Map.entry("bucket.renameByName", NO_HELPER),
                Map.entry("sessionOptions.snapshotTime", NO_ARGUMENT),
                Map.entry("close.timeoutMS", NO_ARGUMENT),
                Map.entry("commitTransaction.timeoutMS", NO_ARGUMENT),
                Map.entry("abortTransaction.timeoutMS", NO_ARGUMENT),
                Map.entry("uriOptions.waitQueueSize", NO_ARGUMENT),
                Map.entry("uriOptions.waitQueueMultiple", NO_ARGUMENT),
                Map.entry("upload.contentType", NO_ARGUMENT));
    }

    @Override
    public Driven open(ClientOptions options, Listener listener) {
        return OfficialClient.open(options, listener);
    }

    @Override
    public @Nullable Failure describe(Throwable thrown) {
        return Failures.describe(thrown);
    }
}
