package dev.semel.conformance.own;

import dev.semel.conformance.adapter.ClientOptions;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Driver;
import dev.semel.conformance.adapter.Failure;
import dev.semel.conformance.adapter.Listener;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The driver of this project. */
public final class OwnDriver implements Driver {
    private static final String NO_HELPER = "the driver has no such helper";
    private static final String NO_ARGUMENT = "the driver has no such option";

    @Override
    public String name() {
        return "semel-driver";
    }

    @Override
    public Map<String, String> missing() {
        return Map.ofEntries(
                Map.entry("client.listDatabaseObjects", NO_HELPER),
                Map.entry("database.listCollectionObjects", NO_HELPER),
                Map.entry("collection.count", NO_HELPER),
                Map.entry("collection.mapReduce", NO_HELPER),
                Map.entry("uriOptions.waitQueueSize", NO_ARGUMENT),
                Map.entry("uriOptions.waitQueueMultiple", NO_ARGUMENT),
                Map.entry("upload.contentType", NO_ARGUMENT));
    }

    @Override
    public Driven open(ClientOptions options, Listener listener) {
        return OwnClient.open(options, listener);
    }

    @Override
    public @Nullable Failure describe(Throwable thrown) {
        return Failures.describe(thrown);
    }
}
