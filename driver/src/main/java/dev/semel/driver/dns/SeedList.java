package dev.semel.driver.dns;

import dev.semel.driver.connection.LookUp;
import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.setting.ServerAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The servers, and some options, that the domain name system has for one host name.
 *
 * @param maxHosts 0 for all of them
 */
public record SeedList(DnsClient dns, String host, String serviceName, int maxHosts, RandomGenerator random) {
    /** Priority, weight, port, host. */
    private static final Pattern SRV = Pattern.compile("\\d+ +\\d+ +(\\d+) +(\\S+?)\\.?");

    private static final Pattern QUOTED = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");

    private String record() {
        return "_" + serviceName + "._tcp." + host;
    }

    /** To begin with: every record has to be right. */
    public List<ServerAddress> hosts() {
        List<ServerAddress> found = found();
        for (ServerAddress each : found) {
            if (!isInDomain(each)) {
                throw new MongoConfigurationException("The SRV record of " + host + " names " + each.host()
                        + ", which is not in the domain " + domain());
            }
        }
        if (found.isEmpty()) {
            throw new MongoConfigurationException("No SRV records for " + record());
        }
        return chosen(found, List.of());
    }

    /** At a later look-up: the current ones that are still listed, and others in place of those that are not. None: unknown. */
    List<ServerAddress> hosts(Collection<ServerAddress> current) {
        return chosen(found().stream().filter(this::isInDomain).toList(), current);
    }

    private List<ServerAddress> found() {
        List<String> records;
        try {
            records = records(record(), "SRV");
        } catch (DnsException e) {
            throw new MongoConfigurationException("Unable to look up the SRV record " + record(), e);
        }
        return records.stream().map(this::address).distinct().toList();
    }

    private List<String> records(String name, String type) {
        try {
            return LookUp.start(name, () -> dns.getResourceRecordData(name, type))
                    .get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MongoInterruptedException("Interrupted while looking up the " + type + " record " + name, e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof DnsException failure
                    ? failure
                    : new DnsException("The DNS client failed", e.getCause());
        }
    }

    private ServerAddress address(String text) {
        Matcher parts = SRV.matcher(text.strip());
        if (!parts.matches()) {
            throw new MongoConfigurationException("The SRV record " + record() + " is malformed: " + text);
        }
        return new ServerAddress(parts.group(2).toLowerCase(Locale.ROOT), Integer.parseInt(parts.group(1)));
    }

    /** A record may only point into its own domain: an attacker who forges it could otherwise redirect clients anywhere. */
    private boolean isInDomain(ServerAddress server) {
        return server.host().endsWith("." + domain());
    }

    private String domain() {
        String name = host.toLowerCase(Locale.ROOT);
        int labels = name.split("\\.", -1).length;
        return labels < 3 ? name : name.substring(name.indexOf('.') + 1);
    }

    private List<ServerAddress> chosen(List<ServerAddress> found, Collection<ServerAddress> current) {
        if (maxHosts == 0 || found.size() <= maxHosts) {
            return found;
        }
        var chosen = new ArrayList<>(found.stream().filter(current::contains).toList());
        var others = new ArrayList<>(found);
        others.removeAll(chosen);
        Collections.shuffle(others, random);
        chosen.addAll(others);
        return List.copyOf(chosen.subList(0, maxHosts));
    }

    /** Options as in a connection string, or null where the name has none. */
    public @Nullable String options() {
        List<String> records;
        try {
            records = records(host, "TXT");
        } catch (DnsWithResponseCodeException e) {
            if (e.getResponseCode() == DnsWithResponseCodeException.NAME_DOES_NOT_EXIST) {
                // Most names have none.
                return null;
            }
            throw new MongoConfigurationException("Unable to look up the TXT record " + host, e);
        } catch (DnsException e) {
            // Without its options a client could talk to another database of users, or to another set.
            throw new MongoConfigurationException("Unable to look up the TXT record " + host, e);
        }
        if (records.size() > 1) {
            throw new MongoConfigurationException("There is more than one TXT record for " + host);
        }
        return records.isEmpty() ? null : joined(records.getFirst());
    }

    /** A long text comes in several strings. */
    private static String joined(String text) {
        if (!text.startsWith("\"")) {
            return text;
        }
        var whole = new StringBuilder();
        Matcher part = QUOTED.matcher(text);
        while (part.find()) {
            whole.append(part.group(1));
        }
        return whole.toString();
    }
}
