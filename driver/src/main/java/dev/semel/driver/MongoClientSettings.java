package dev.semel.driver;

import dev.semel.driver.event.ClusterListener;
import dev.semel.driver.event.CommandListener;
import dev.semel.driver.event.ConnectionPoolListener;
import dev.semel.driver.event.RetryListener;
import dev.semel.driver.logging.LoggerSettings;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.PoolSettings;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.driver.setting.ServerApi;
import dev.semel.driver.setting.ServerMonitoringMode;
import dev.semel.driver.setting.TlsSettings;
import dev.semel.driver.setting.WriteConcern;
import dev.semel.wire.message.Compressor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.codecs.BsonCodecProvider;
import org.bson.codecs.BsonValueCodecProvider;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.EnumCodecProvider;
import org.bson.codecs.IterableCodecProvider;
import org.bson.codecs.MapCodecProvider;
import org.bson.codecs.ValueCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.jsr310.Jsr310CodecProvider;
import org.bson.codecs.record.RecordCodecProvider;
import org.jspecify.annotations.Nullable;

/** Everything a client can be told. Immutable; {@link #builder} begins with the defaults. */
public final class MongoClientSettings {
    private static final CodecRegistry DEFAULT_CODECS = CodecRegistries.fromProviders(
            new ValueCodecProvider(),
            new BsonValueCodecProvider(),
            new DocumentCodecProvider(),
            new IterableCodecProvider(),
            new MapCodecProvider(),
            new Jsr310CodecProvider(),
            new BsonCodecProvider(),
            new EnumCodecProvider(),
            new RecordCodecProvider());

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

    /** Codecs for documents, values, collections, maps, enums, records and {@code java.time}. */
    public static CodecRegistry getDefaultCodecRegistry() {
        return DEFAULT_CODECS;
    }

    public List<ServerAddress> getHosts() {
        return is.hosts;
    }

    public @Nullable String getSrvHost() {
        return is.srvHost;
    }

    public String getSrvServiceName() {
        return is.srvServiceName;
    }

    public int getSrvMaxHosts() {
        return is.srvMaxHosts;
    }

    public @Nullable String getReplicaSetName() {
        return is.replicaSetName;
    }

    public @Nullable Boolean getDirectConnection() {
        return is.directConnection;
    }

    public boolean isLoadBalanced() {
        return is.loadBalanced;
    }

    public @Nullable MongoCredential getCredential() {
        return is.credential;
    }

    public TlsSettings getTls() {
        return is.tls;
    }

    public @Nullable String getApplicationName() {
        return is.applicationName;
    }

    public List<Compressor> getCompressors() {
        return is.compressors;
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

    /** For a whole operation with all its attempts; null: none, zero: unlimited, but by the rules of timeouts. */
    public @Nullable Duration getTimeout() {
        return is.timeout;
    }

    public Duration getConnectTimeout() {
        return is.connectTimeout;
    }

    public @Nullable Duration getSocketTimeout() {
        return is.socketTimeout;
    }

    public Duration getServerSelectionTimeout() {
        return is.serverSelectionTimeout;
    }

    public Duration getHeartbeatFrequency() {
        return is.heartbeatFrequency;
    }

    public Duration getMinHeartbeatFrequency() {
        return is.minHeartbeatFrequency;
    }

    public ServerMonitoringMode getServerMonitoringMode() {
        return is.serverMonitoringMode;
    }

    public Duration getLocalThreshold() {
        return is.localThreshold;
    }

    public PoolSettings getPool() {
        return is.pool;
    }

    public CodecRegistry getCodecRegistry() {
        return is.codecRegistry;
    }

    public List<CommandListener> getCommandListeners() {
        return is.commandListeners;
    }

    public List<ClusterListener> getClusterListeners() {
        return is.clusterListeners;
    }

    public List<ConnectionPoolListener> getConnectionPoolListeners() {
        return is.poolListeners;
    }

    public LoggerSettings getLoggerSettings() {
        return is.loggerSettings;
    }

    public List<RetryListener> getRetryListeners() {
        return is.retryListeners;
    }

    /** Collects settings. Not to be shared between threads. */
    public static final class Builder {
        private List<ServerAddress> hosts = List.of(new ServerAddress());
        private @Nullable String srvHost;
        private String srvServiceName = "mongodb";
        private int srvMaxHosts;
        private @Nullable String replicaSetName;
        private @Nullable Boolean directConnection;
        private boolean loadBalanced;
        private @Nullable MongoCredential credential;
        private TlsSettings tls = TlsSettings.OFF;
        private @Nullable String applicationName;
        private List<Compressor> compressors = List.of();
        private @Nullable ServerApi serverApi;
        private boolean retryReads = true;
        private boolean retryWrites = true;
        private int maxAdaptiveRetries = 2;
        private boolean enableOverloadRetargeting;
        private ReadPreference readPreference = ReadPreference.primary();
        private ReadConcern readConcern = ReadConcern.DEFAULT;
        private WriteConcern writeConcern = WriteConcern.ACKNOWLEDGED;
        private @Nullable Duration timeout;
        private Duration connectTimeout = Duration.ofSeconds(10);
        private @Nullable Duration socketTimeout;
        private Duration serverSelectionTimeout = Duration.ofSeconds(30);
        private Duration heartbeatFrequency = Duration.ofSeconds(10);
        private Duration minHeartbeatFrequency = Duration.ofMillis(500);
        private ServerMonitoringMode serverMonitoringMode = ServerMonitoringMode.AUTO;
        private Duration localThreshold = Duration.ofMillis(15);
        private PoolSettings pool = PoolSettings.DEFAULT;
        private CodecRegistry codecRegistry = DEFAULT_CODECS;
        private List<CommandListener> commandListeners = List.of();
        private List<ClusterListener> clusterListeners = List.of();
        private List<ConnectionPoolListener> poolListeners = List.of();
        private List<RetryListener> retryListeners = List.of();
        private LoggerSettings loggerSettings = LoggerSettings.DEFAULT;

        private Builder() {}

        private Builder(Builder from) {
            hosts = from.hosts;
            srvHost = from.srvHost;
            srvServiceName = from.srvServiceName;
            srvMaxHosts = from.srvMaxHosts;
            replicaSetName = from.replicaSetName;
            directConnection = from.directConnection;
            loadBalanced = from.loadBalanced;
            credential = from.credential;
            tls = from.tls;
            applicationName = from.applicationName;
            compressors = from.compressors;
            serverApi = from.serverApi;
            retryReads = from.retryReads;
            retryWrites = from.retryWrites;
            maxAdaptiveRetries = from.maxAdaptiveRetries;
            enableOverloadRetargeting = from.enableOverloadRetargeting;
            readPreference = from.readPreference;
            readConcern = from.readConcern;
            writeConcern = from.writeConcern;
            timeout = from.timeout;
            connectTimeout = from.connectTimeout;
            socketTimeout = from.socketTimeout;
            serverSelectionTimeout = from.serverSelectionTimeout;
            heartbeatFrequency = from.heartbeatFrequency;
            minHeartbeatFrequency = from.minHeartbeatFrequency;
            serverMonitoringMode = from.serverMonitoringMode;
            localThreshold = from.localThreshold;
            pool = from.pool;
            codecRegistry = from.codecRegistry;
            commandListeners = from.commandListeners;
            clusterListeners = from.clusterListeners;
            poolListeners = from.poolListeners;
            retryListeners = from.retryListeners;
            loggerSettings = from.loggerSettings;
        }

        /** Takes over every option the connection string names. */
        public Builder applyConnectionString(ConnectionString string) {
            ConnectionStringSettings.apply(string, this);
            return this;
        }

        public Builder hosts(List<ServerAddress> value) {
            hosts = List.copyOf(value);
            srvHost = null;
            return this;
        }

        public Builder srvHost(String value) {
            srvHost = value;
            hosts = List.of();
            return this;
        }

        public Builder srvServiceName(String value) {
            srvServiceName = value;
            return this;
        }

        public Builder srvMaxHosts(int value) {
            srvMaxHosts = value;
            return this;
        }

        public Builder replicaSetName(@Nullable String value) {
            replicaSetName = value;
            return this;
        }

        public Builder directConnection(@Nullable Boolean value) {
            directConnection = value;
            return this;
        }

        public Builder loadBalanced(boolean value) {
            loadBalanced = value;
            return this;
        }

        public Builder credential(@Nullable MongoCredential value) {
            credential = value;
            return this;
        }

        public Builder tls(TlsSettings value) {
            tls = value;
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

        public Builder connectTimeout(Duration value) {
            connectTimeout = value;
            return this;
        }

        public Builder socketTimeout(@Nullable Duration value) {
            socketTimeout = value;
            return this;
        }

        public Builder serverSelectionTimeout(Duration value) {
            serverSelectionTimeout = value;
            return this;
        }

        public Builder heartbeatFrequency(Duration value) {
            heartbeatFrequency = value;
            return this;
        }

        public Builder minHeartbeatFrequency(Duration value) {
            minHeartbeatFrequency = value;
            return this;
        }

        public Builder serverMonitoringMode(ServerMonitoringMode value) {
            serverMonitoringMode = value;
            return this;
        }

        public Builder localThreshold(Duration value) {
            localThreshold = value;
            return this;
        }

        public Builder pool(PoolSettings value) {
            pool = value;
            return this;
        }

        public Builder codecRegistry(CodecRegistry value) {
            codecRegistry = value;
            return this;
        }

        public Builder addCommandListener(CommandListener listener) {
            commandListeners = with(commandListeners, listener);
            return this;
        }

        public Builder addClusterListener(ClusterListener listener) {
            clusterListeners = with(clusterListeners, listener);
            return this;
        }

        public Builder addConnectionPoolListener(ConnectionPoolListener listener) {
            poolListeners = with(poolListeners, listener);
            return this;
        }

        /** What is logged; where this says nothing, the environment may. */
        public Builder loggerSettings(LoggerSettings value) {
            loggerSettings = value;
            return this;
        }

        public Builder addRetryListener(RetryListener listener) {
            retryListeners = with(retryListeners, listener);
            return this;
        }

        PoolSettings pool() {
            return pool;
        }

        public MongoClientSettings build() {
            ConnectionString.checkTopology(
                    srvHost == null ? hosts.size() : 1,
                    Boolean.TRUE.equals(directConnection),
                    loadBalanced,
                    replicaSetName != null);
            return new MongoClientSettings(new Builder(this));
        }

        private static <T> List<T> with(List<T> listeners, T listener) {
            var more = new ArrayList<>(listeners);
            more.add(listener);
            return List.copyOf(more);
        }
    }
}
