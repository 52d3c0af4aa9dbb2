package dev.semel.driver;

import dev.semel.driver.error.MongoConfigurationException;
import dev.semel.driver.setting.ServerAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;

/** Looks up the hosts behind an SRV record, with the JDK's DNS client. */
final class SrvHosts {
    private SrvHosts() {}

    static MongoClientSettings resolve(MongoClientSettings settings) {
        var cluster = settings.getClusterSettings();
        String host = String.valueOf(cluster.srvHost());
        String record = "_" + cluster.srvServiceName() + "._tcp." + host;
        var hosts = new ArrayList<ServerAddress>();
        try {
            for (String each : records(record)) {
                // priority, weight, port, host
                String[] parts = each.split(" ", -1);
                String name = parts[3].endsWith(".") ? parts[3].substring(0, parts[3].length() - 1) : parts[3];
                checkDomain(name, host);
                hosts.add(new ServerAddress(name, Integer.parseInt(parts[2])));
            }
        } catch (NamingException e) {
            throw new MongoConfigurationException("Unable to look up the SRV record " + record, e);
        }
        if (hosts.isEmpty()) {
            throw new MongoConfigurationException("No SRV records for " + record);
        }
        boolean areTooMany = cluster.srvMaxHosts() > 0 && cluster.srvMaxHosts() < hosts.size();
        if (areTooMany) {
            Collections.shuffle(hosts, new Random(System.nanoTime()));
        }
        List<ServerAddress> chosen = areTooMany ? hosts.subList(0, cluster.srvMaxHosts()) : hosts;
        return MongoClientSettings.builder(settings)
                .applyToClusterSettings(builder -> builder.hosts(chosen))
                .build();
    }

    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // the JDK has no other DNS client; only text is read from its answers
    private static List<String> records(String name) throws NamingException {
        var environment = new Hashtable<String, String>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        var context = new InitialDirContext(environment);
        try {
            Attribute attribute =
                    context.getAttributes(name, new String[] {"SRV"}).get("SRV");
            var records = new ArrayList<String>();
            for (int i = 0; attribute != null && i < attribute.size(); i++) {
                records.add(String.valueOf(attribute.get(i)));
            }
            return records;
        } finally {
            context.close();
        }
    }

    /** A record may only point into its own domain: whoever can forge it could otherwise lead clients anywhere. */
    private static void checkDomain(String name, String srvHost) {
        String host = srvHost.toLowerCase(Locale.ROOT);
        int labels = host.split("\\.", -1).length;
        String domain = labels < 3 ? host : host.substring(host.indexOf('.') + 1);
        if (!name.toLowerCase(Locale.ROOT).endsWith("." + domain)) {
            throw new MongoConfigurationException(
                    "The SRV record of " + srvHost + " names " + name + ", which is not in the domain " + domain);
        }
    }
}
