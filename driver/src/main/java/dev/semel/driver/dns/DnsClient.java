package dev.semel.driver.dns;

import java.util.List;

/** Looks up DNS records. */
@FunctionalInterface
public interface DnsClient {
    /**
     * The records of a type, {@code SRV} or {@code TXT}, in their textual form; none where there are none.
     *
     * @throws DnsWithResponseCodeException when the domain name system answers with an error, such as that the name does not exist
     * @throws DnsException if the look-up fails
     */
    List<String> getResourceRecordData(String name, String type);
}
