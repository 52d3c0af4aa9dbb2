package dev.semel.driver.connection;

import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.ProxySettings;
import dev.semel.driver.setting.ServerApi;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.wire.message.Compressor;
import java.time.Duration;
import java.util.List;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is needed to open a connection. Monitors do not authenticate: they have no credential. The timeout of commands is
 * for authentication in the background, when no operation waits for it; a hello has the connect timeout.
 */
public record ConnectionSettings(
        Metadata metadata,
        @Nullable MongoCredential credential,
        TlsSettings tls,
        @Nullable ProxySettings proxy,
        List<Compressor> compressors,
        int zlibLevel,
        @Nullable ServerApi serverApi,
        boolean loadBalanced,
        Duration connectTimeout,
        @Nullable Duration readTimeout,
        @Nullable Duration commandTimeout,
        IntSupplier requestIds,
        Time time) {
    public ConnectionSettings {
        compressors = List.copyOf(compressors);
    }

    public ConnectionSettings forMonitor() {
        return new ConnectionSettings(
                metadata,
                null,
                tls,
                proxy,
                compressors,
                zlibLevel,
                serverApi,
                loadBalanced,
                connectTimeout,
                connectTimeout,
                null,
                requestIds,
                time);
    }
}
