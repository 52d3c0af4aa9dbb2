package dev.semel.driver;

import dev.semel.driver.dns.SeedList;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.driver.setting.MongoCredential;
import dev.semel.driver.setting.UriOption;
import java.util.Objects;

/** Settings that name a host to look up, with what was found. What the application said itself is not changed. */
final class SrvSettings {
    private SrvSettings() {}

    static MongoClientSettings resolve(MongoClientSettings settings, SeedList seeds) {
        try {
            var builder = MongoClientSettings.builder(settings);
            String options = seeds.options();
            if (options != null) {
                apply(options, settings, builder);
            }
            return builder.applyToClusterSettings(cluster -> cluster.hosts(seeds.hosts()))
                    .build();
        } catch (IllegalArgumentException e) {
            throw new MongoConfigurationException(
                    "What the domain name system says of " + seeds.host() + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static void apply(String options, MongoClientSettings settings, MongoClientSettings.Builder builder) {
        ConnectionString given = settings.srvString();
        if (given == null) {
            given = new ConnectionString(
                    "mongodb+srv://" + settings.getClusterSettings().srvHost());
        }
        ConnectionString whole = given.withTxtRecord(options);
        builder.applyToClusterSettings(cluster -> {
            if (settings.getClusterSettings().requiredReplicaSetName() == null) {
                cluster.requiredReplicaSetName((String) whole.option(UriOption.REPLICA_SET));
            }
            if (whole.option(UriOption.LOAD_BALANCED) instanceof Boolean balanced) {
                cluster.loadBalanced(balanced);
            }
        });
        MongoCredential credential = given.getCredential();
        if (credential != null && Objects.equals(credential, settings.getCredential())) {
            builder.credential(whole.getCredential());
        }
    }
}
