package dev.semel.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;

/** Whether a member can listen where the others look for it. */
final class OwnAddress {
    private OwnAddress() {}

    static void require(SetOptions options) throws IOException {
        String host = SetOptions.host(options.self());
        InetAddress address = address(options.self(), host);
        if (address.isLoopbackAddress()) {
            return;
        }
        if (NetworkInterface.getByInetAddress(address) == null) {
            throw new IOException(
                    "the address of this member of the set, %s, is not on this machine (%s). Start it on that machine, or correct the list of members, or the name in DNS or the hosts file"
                            .formatted(options.self(), address.getHostAddress()));
        }
        if (options.security() == null) {
            throw new IOException(
                    "the member %s would listen for other members at %s, where anyone could change everything: give all members the same --keyFile, or certificates by --tlsClusterFile and --tlsClusterCAFile"
                            .formatted(options.self(), address.getHostAddress()));
        }
    }

    private static InetAddress address(String member, String host) throws IOException {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IOException(
                    "the address of this member of the set, %s, is unknown: no address is found for the name %s. Correct the list of members, or the name in DNS or the hosts file"
                            .formatted(member, host),
                    e);
        }
    }
}
