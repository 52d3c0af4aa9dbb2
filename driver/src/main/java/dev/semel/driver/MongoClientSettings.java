package dev.semel.driver;

import dev.semel.driver.dns.DnsClient;
import dev.semel.driver.dns.JdkDnsClient;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.logging.LoggerSettings;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerApi;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.wire.message.Compressor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.UuidRepresentation;
import org.bson.codecs.BsonCodecProvider;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.CollectionCodecProvider;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.EnumCodecProvider;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.JsonObjectCodecProvider;
import org.bson.codecs.MapCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.jsr310.Jsr310CodecProvider;
import org.jspecify.annotations.Nullable;

/** The settings of a client. Immutable; {@link #builder} begins with the defaults. */
public final class MongoClientSettings {
    private static final CodecRegistry DEFAULT_CODECS = CodecRegistries.fromProviders(
            new ValueCodecProvider(),
            new BsonValueCodecProvider(),
            new DocumentCodecProvider(),
            new RawDocumentCodec.Provider(),
            new CollectionCodecProvider(),
            new IterableCodecProvider(),
            new MapCodecProvider(),
            new Jsr310CodecProvider(),
            new JsonObjectCodecProvider(),
            new BsonCodecProvider(),
            new EnumCodecProvider(),
            new PublicRecordCodecProvider());

    private final Builder is;

    private MongoClientSettings(Builder values) {
        is = values;
    }

    public static Builder builder() {
        return new Builder();
    }

    public static Builder builder(MongoClientSettings settings) {
        return new Builder(settings.is);
    }

    /** Codecs for documents, also as {@link dev.semel.wire.bson.RawDocument}, values, collections, maps, enums, records and {@code java.time}. */
    public static CodecRegistry getDefaultCodecRegistry() {
        return DEFAULT_CODECS;
    }

    /** The connection string with the SRV host; null if there is none. */
    @Nullable
    ConnectionString srvString() {
        return is.srvString;
    }

    public DnsClient getDnsClient() {
        return is.dnsClient;
    }

    public @Nullable MongoCredential getCredential() {
        return is.credential;
    }

    public TlsSettings getSslSettings() {
        return is.tls;
    }

    public @Nullable String getApplicationName() {
        return is.applicationName;
    }

    public List<Compressor> getCompressors() {
        return is.compressors;
    }

    /** From 0 (no compression) to 9 (best compression); -1 for the default. */
    public int getZlibCompressionLevel() {
        return is.zlibCompressionLevel;
    }

    public @Nullable ServerApi getServerApi() {
        return is.serverApi;
    }

    public boolean getRetryReads() {
        return is.retryReads;
    }

    public boolean getRetryWrites() {
        return is.retryWrites;
    }

    public int getMaxAdaptiveRetries() {
        return is.maxAdaptiveRetries;
    }

    public boolean isOverloadRetargetingEnabled() {
        return is.enableOverloadRetargeting;
    }

    public ReadPreference getReadPreference() {
        return is.readPreference;
    }

    public ReadConcern getReadConcern() {
        return is.readConcern;
    }

    public WriteConcern getWriteConcern() {
        return is.writeConcern;
    }

    /**
     * The timeout of a whole operation with all its attempts; null: none; zero: no limit, but with the rules of
     * timeouts.
     */
    public @Nullable Duration getTimeout() {
        return is.timeout;
    }

    public ClusterSettings getClusterSettings() {
        return is.cluster;
    }

    public SocketSettings getSocketSettings() {
        return is.sockets;
    }

    public ServerSettings getServerSettings() {
        return is.servers;
    }

    public ConnectionPoolSettings getConnectionPoolSettings() {
        return is.pool;
    }

    public CodecRegistry getCodecRegistry() {
        return is.codecRegistry;
    }

    public List<CommandListener> getCommandListeners() {
        return is.commandListeners;
    }

    public LoggerSettings getLoggerSettings() {
        return is.loggerSettings;
    }

    public List<RetryListener> getRetryListeners() {
        return is.retryListeners;
    }

    /** Builds settings. Not to be shared between threads. */
    public static final class Builder {
        private ClusterSettings cluster = ClusterSettings.DEFAULT;
        private SocketSettings sockets = SocketSettings.DEFAULT;
        private ServerSettings servers = ServerSettings.DEFAULT;
        private ConnectionPoolSettings pool = ConnectionPoolSettings.DEFAULT;
        private @Nullable ConnectionString srvString;
        private DnsClient dnsClient = new JdkDnsClient();
        private TlsSettings tls = TlsSettings.OFF;
        private @Nullable MongoCredential credential;
        private @Nullable String applicationName;
        private List<Compressor> compressors = List.of();
        private int zlibCompressionLevel = -1;
        private @Nullable ServerApi serverApi;
        private boolean retryReads = true;
        private boolean retryWrites = true;
        private int maxAdaptiveRetries = 2;
        private boolean enableOverloadRetargeting;
        private ReadPreference readPreference = ReadPreference.primary();
        private ReadConcern readConcern = ReadConcern.DEFAULT;
        private WriteConcern writeConcern = WriteConcern.ACKNOWLEDGED;
        private @Nullable Duration timeout;
        private CodecRegistry codecRegistry = DEFAULT_CODECS;
        private List<CommandListener> commandListeners = List.of();
        private List<RetryListener> retryListeners = List.of();
        private LoggerSettings loggerSettings = LoggerSettings.DEFAULT;

        private Builder() {}

        private Builder(Builder from) {
            cluster = from.cluster;
            sockets = from.sockets;
            servers = from.servers;
            pool = from.pool;
            srvString = from.srvString;
            dnsClient = from.dnsClient;
            tls = from.tls;
            credential = from.credential;
            applicationName = from.applicationName;
            compressors = from.compressors;
            zlibCompressionLevel = from.zlibCompressionLevel;
            serverApi = from.serverApi;
            retryReads = from.retryReads;
            retryWrites = from.retryWrites;
            maxAdaptiveRetries = from.maxAdaptiveRetries;
            enableOverloadRetargeting = from.enableOverloadRetargeting;
            readPreference = from.readPreference;
            readConcern = from.readConcern;
            writeConcern = from.writeConcern;
            timeout = from.timeout;
            codecRegistry = from.codecRegistry;
            commandListeners = from.commandListeners;
            retryListeners = from.retryListeners;
            loggerSettings = from.loggerSettings;
        }

        /** Applies every option of the connection string. */
        public Builder applyConnectionString(ConnectionString string) {
            ConnectionStringSettings.apply(string, this);
            srvString = string.isSrv() ? string : null;
            return this;
        }

        public Builder applyToClusterSettings(Consumer<ClusterSettings.Builder> change) {
            var builder = ClusterSettings.builder(cluster);
            change.accept(builder);
            cluster = builder.build();
            return this;
        }

        public Builder applyToSocketSettings(Consumer<SocketSettings.Builder> change) {
            var builder = SocketSettings.builder(sockets);
            change.accept(builder);
            sockets = builder.build();
            return this;
        }

        public Builder applyToServerSettings(Consumer<ServerSettings.Builder> change) {
            var builder = ServerSettings.builder(servers);
            change.accept(builder);
            servers = builder.build();
            return this;
        }

        /** The DNS client for SRV and TXT records; by default that of the JDK. */
        public Builder dnsClient(DnsClient value) {
            dnsClient = value;
            return this;
        }

        public Builder applyToConnectionPoolSettings(Consumer<ConnectionPoolSettings.Builder> change) {
            var builder = ConnectionPoolSettings.builder(pool);
            change.accept(builder);
            pool = builder.build();
            return this;
        }

        public Builder applyToSslSettings(Consumer<TlsSettings.Builder> change) {
            var builder = TlsSettings.builder(tls);
            change.accept(builder);
            tls = builder.build();
            return this;
        }

        /** TLS settings with certificate files; they replace all earlier TLS settings. */
        public Builder tls(TlsSettings value) {
            tls = value;
            return this;
        }

        public Builder credential(@Nullable MongoCredential value) {
            credential = value;
            return this;
        }

        public Builder applicationName(@Nullable String value) {
            applicationName = value;
            return this;
        }

        public Builder compressors(List<Compressor> value) {
            compressors = List.copyOf(value);
            return this;
        }

        public Builder zlibCompressionLevel(int value) {
            if (value < -1 || value > 9) {
                throw new IllegalArgumentException("zlibCompressionLevel is not a number from -1 to 9: " + value);
            }
            zlibCompressionLevel = value;
            return this;
        }

        public Builder serverApi(@Nullable ServerApi value) {
            serverApi = value;
            return this;
        }

        public Builder retryReads(boolean value) {
            retryReads = value;
            return this;
        }

        public Builder retryWrites(boolean value) {
            retryWrites = value;
            return this;
        }

        public Builder maxAdaptiveRetries(int value) {
            maxAdaptiveRetries = value;
            return this;
        }

        public Builder enableOverloadRetargeting(boolean value) {
            enableOverloadRetargeting = value;
            return this;
        }

        public Builder readPreference(ReadPreference value) {
            readPreference = value;
            return this;
        }

        public Builder readConcern(ReadConcern value) {
            readConcern = value;
            return this;
        }

        public Builder writeConcern(WriteConcern value) {
            writeConcern = value;
            return this;
        }

        public Builder timeout(@Nullable Duration value) {
            timeout = value;
            return this;
        }

        public Builder timeout(long value, TimeUnit unit) {
            return timeout(Duration.of(value, unit.toChronoUnit()));
        }

        public Builder codecRegistry(CodecRegistry value) {
            codecRegistry = value;
            return this;
        }

        /** The BSON representation of {@code UUID} values. */
        public Builder uuidRepresentation(UuidRepresentation value) {
            return codecRegistry(CodecRegistries.withUuidRepresentation(codecRegistry, value));
        }

        public Builder addCommandListener(CommandListener listener) {
            commandListeners = with(commandListeners, listener);
            return this;
        }

        /** The log levels; for components without a level the environment is used. */
        public Builder loggerSettings(LoggerSettings value) {
            loggerSettings = value;
            return this;
        }

        public Builder addRetryListener(RetryListener listener) {
            retryListeners = with(retryListeners, listener);
            return this;
        }

        public MongoClientSettings build() {
            cluster.check();
            String unsupported = credential == null ? null : credential.unsupported();
            if (unsupported != null) {
                throw new MongoConfigurationException(unsupported);
            }
            return new MongoClientSettings(new Builder(this));
        }

        private static <T> List<T> with(List<T> listeners, T listener) {
            var more = new ArrayList<>(listeners);
            more.add(listener);
            return List.copyOf(more);
        }
    }
}
