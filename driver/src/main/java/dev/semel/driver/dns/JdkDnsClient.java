package dev.semel.driver.dns;

import java.util.ArrayList;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Context;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.directory.InitialDirContext;

/** With the JDK's own client and the name servers of this machine. */
public final class JdkDnsClient implements DnsClient {
    @Override
    @SuppressWarnings({"BanJNDI", "JdkObsolete"}) // the JDK has no other DNS client; only text is read from its answers
    public List<String> getResourceRecordData(String name, String type) {
        var environment = new Hashtable<String, String>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        try {
            var context = new InitialDirContext(environment);
            try {
                Attribute attribute =
                        context.getAttributes(name, new String[] {type}).get(type);
                var records = new ArrayList<String>();
                for (int i = 0; attribute != null && i < attribute.size(); i++) {
                    records.add(String.valueOf(attribute.get(i)));
                }
                return records;
            } finally {
                context.close();
            }
        } catch (NameNotFoundException e) {
            throw new DnsWithResponseCodeException(
                    "There is no name " + name, DnsWithResponseCodeException.NAME_DOES_NOT_EXIST, e);
        } catch (NamingException e) {
            throw new DnsException("Unable to look up the " + type + " record " + name, e);
        }
    }
}
