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
 * What a connection has to know to be made. Monitors do not authenticate: they have no credential. The timeout of commands is
 * for those of an authentication that no operation waits for; a greeting has the time that connecting has.
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
        IntSupplier requestIds) {
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
                requestIds);
    }
}
