package dev.semel.driver.setting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code mongodb://user:password@host1:27017,host2/database?option=value}, parsed. Contradictory options are refused with
 * an {@link IllegalArgumentException} that names the option and the reason; options that can safely be ignored are ignored,
 * and {@link #warnings} lists them.
 */
public final class ConnectionString {
    private static final String PREFIX = "mongodb://";
    private static final String SRV_PREFIX = "mongodb+srv://";

    private final String text;
    private final boolean isSrv;
    private final List<ServerAddress> hosts;
    private final @Nullable String database;
    private final UriOptions options;
    private final @Nullable MongoCredential credential;

    public ConnectionString(String text) {
        this(text, "");
    }

    private ConnectionString(String text, String fromDns) {
        this.text = text;
        isSrv = text.startsWith(SRV_PREFIX);
        if (!isSrv && !text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("A connection string begins with " + PREFIX + " or " + SRV_PREFIX);
        }
        String rest = text.substring(isSrv ? SRV_PREFIX.length() : PREFIX.length());
        int question = rest.indexOf('?');
        String query = question < 0 ? "" : rest.substring(question + 1);
        String beforeQuery = question < 0 ? rest : rest.substring(0, question);
        int slash = beforeQuery.indexOf('/');
        String authority = slash < 0 ? beforeQuery : beforeQuery.substring(0, slash);
        database = slash < 0 ? null : database(beforeQuery.substring(slash + 1));
        int at = authority.lastIndexOf('@');
        hosts = hosts(authority.substring(at + 1));
        options = new UriOptions(query, fromDns);
        checkTopology();
        credential = credential(at < 0 ? null : authority.substring(0, at));
    }

    private static @Nullable String database(String encoded) {
        String name = PercentEncoding.decode(encoded);
        if (name.isEmpty()) {
            return null;
        }
        if (name.chars().anyMatch(each -> "/\\ \"$".indexOf(each) >= 0)) {
            throw new IllegalArgumentException("The database name '" + name + "' contains a character it must not");
        }
        return name;
    }

    private List<ServerAddress> hosts(String list) {
        var result = new ArrayList<ServerAddress>();
        for (String each : list.split(",", -1)) {
            if (each.isEmpty()) {
                throw new IllegalArgumentException("A host in the connection string is empty");
            }
            if (isSrv && each.contains(":")) {
                throw new IllegalArgumentException("The host name of an SRV record comes without a port");
            }
            result.add(new ServerAddress(PercentEncoding.decode(each)));
        }
        if (isSrv && result.size() != 1) {
            throw new IllegalArgumentException("A connection string with SRV names exactly one host");
        }
        return List.copyOf(result);
    }

    private void checkTopology() {
        boolean isDirect = options.isTrue(UriOption.DIRECT_CONNECTION);
        boolean isBalanced = options.isTrue(UriOption.LOAD_BALANCED);
        boolean hasSet = options.get(UriOption.REPLICA_SET) != null;
        require(!isDirect || !isSrv, "directConnection=true needs exactly one host, not SRV");
        checkTopology(hosts.size(), isDirect, isBalanced, hasSet);
        require(isSrv || options.get(UriOption.SRV_SERVICE_NAME) == null, "srvServiceName needs " + SRV_PREFIX);
        require(isSrv || options.get(UriOption.SRV_MAX_HOSTS) == null, "srvMaxHosts needs " + SRV_PREFIX);
        boolean limitsHosts = options.get(UriOption.SRV_MAX_HOSTS) instanceof Integer limit && limit > 0;
        require(!limitsHosts || !hasSet, "srvMaxHosts and replicaSet exclude each other");
        require(!limitsHosts || !isBalanced, "srvMaxHosts and loadBalanced=true exclude each other");
        // Building them shows what is wrong with the parts together.
        writeConcern();
        readPreference();
    }

    /** Refuses options that contradict each other, wherever they were given. */
    public static void checkTopology(int hostCount, boolean isDirect, boolean isBalanced, boolean hasSet) {
        require(!isDirect || hostCount == 1, "directConnection=true needs exactly one host, not SRV");
        require(!isBalanced || hostCount == 1, "loadBalanced=true needs exactly one host");
        require(!isBalanced || !isDirect, "loadBalanced=true and directConnection=true exclude each other");
        require(!isBalanced || !hasSet, "loadBalanced=true and replicaSet exclude each other");
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }

    @SuppressWarnings("unchecked") // pairs are parsed to this type
    private @Nullable MongoCredential credential(@Nullable String userInfo) {
        String user = null;
        String password = null;
        if (userInfo != null) {
            require(userInfo.indexOf('@') < 0, "An @ in the user name or password must be escaped as %40");
            int colon = userInfo.indexOf(':');
            require(userInfo.indexOf(':', colon + 1) < 0, "A : in the password must be escaped as %3A");
            user = PercentEncoding.decode(colon < 0 ? userInfo : userInfo.substring(0, colon));
            password = colon < 0 ? null : PercentEncoding.decode(userInfo.substring(colon + 1));
            require(!user.isEmpty(), "The user name is empty");
        }
        var mechanism = (AuthenticationMechanism) options.get(UriOption.AUTH_MECHANISM);
        if (user == null && mechanism == null) {
            return null;
        }
        var properties = (Map<String, String>) options.get(UriOption.AUTH_MECHANISM_PROPERTIES);
        if (properties == null) {
            properties = Map.of();
        }
        if (mechanism == AuthenticationMechanism.GSSAPI && !properties.containsKey("SERVICE_NAME")) {
            properties = new HashMap<>(properties);
            properties.put("SERVICE_NAME", "mongodb");
        }
        String source = (String) options.get(UriOption.AUTH_SOURCE);
        if (source == null) {
            source = MongoCredential.defaultSource(mechanism, database);
        }
        return new MongoCredential(user, password, source, mechanism, properties);
    }

    /** With the options of the host's TXT record that it does not set itself. */
    public ConnectionString withTxtRecord(String options) {
        return new ConnectionString(text, options);
    }

    /** The host name to look up, if {@link #isSrv}. */
    public List<ServerAddress> hosts() {
        return hosts;
    }

    public boolean isSrv() {
        return isSrv;
    }

    public @Nullable String getDatabase() {
        return database;
    }

    public @Nullable MongoCredential getCredential() {
        return credential;
    }

    /** The ignored options, with the reason: one sentence each. */
    public List<String> warnings() {
        return List.copyOf(options.warnings());
    }

    /** The recognized options with their values. */
    public Map<UriOption, Object> options() {
        return Map.copyOf(options.values());
    }

    /** The value of an option, of the type of its parser; null if it is not given. */
    public @Nullable Object option(UriOption option) {
        return options.get(option);
    }

    /** Null if the option is not given. */
    public @Nullable WriteConcern writeConcern() {
        var w = (WriteConcern.W) options.get(UriOption.W);
        var wTimeoutMs = (Integer) options.get(UriOption.W_TIMEOUT_MS);
        var journal = (Boolean) options.get(UriOption.JOURNAL);
        return w == null && wTimeoutMs == null && journal == null ? null : new WriteConcern(w, wTimeoutMs, journal);
    }

    public @Nullable ReadConcern readConcern() {
        var level = (String) options.get(UriOption.READ_CONCERN_LEVEL);
        return level == null ? null : new ReadConcern(level);
    }

    @SuppressWarnings("unchecked") // tag sets are parsed to this type
    public @Nullable ReadPreference readPreference() {
        var mode = (ReadPreference.Mode) options.get(UriOption.READ_PREFERENCE);
        var tagSets = (List<Map<String, String>>) options.get(UriOption.READ_PREFERENCE_TAGS);
        var staleness = (Integer) options.get(UriOption.MAX_STALENESS_SECONDS);
        if (mode == null && tagSets == null && staleness == null) {
            return null;
        }
        return new ReadPreference(
                mode == null ? ReadPreference.Mode.PRIMARY : mode,
                tagSets == null ? List.of() : tagSets,
                staleness == null || staleness < 0 ? null : Duration.ofSeconds(staleness));
    }

    /** The original string, including the password: do not log it. */
    public String getConnectionString() {
        return text;
    }

    @Override
    public String toString() {
        return (isSrv ? SRV_PREFIX : PREFIX) + hosts;
    }
}
