package dev.semel.server;

import dev.semel.server.net.Listener;
import dev.semel.server.tls.CertificateNames;
import dev.semel.server.tls.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The address that clients should connect to. With TLS it is one for which the certificate is valid, if there is such
 * an address of this server, because clients verify the host name.
 *
 * @param hostAndPort as in a connection string
 * @param isProven whether clients that check the certificate will accept it
 */
record AnnouncedAddress(String hostAndPort, boolean isProven) {
    /** A look-up can take seconds; certificates with more names are those of shared proxies. */
    private static final int NAMES_MAX = 16;

    static AnnouncedAddress of(@Nullable String given, Listener.Bound bound, @Nullable Tls tls) throws IOException {
        CertificateNames names = tls == null ? null : tls.names();
        if (given != null) {
            boolean hasPort = given.matches("([^:]+|\\[.*]):[0-9]+");
            String host = hasPort ? given.substring(0, given.lastIndexOf(':')) : literal(given);
            return new AnnouncedAddress(
                    hasPort ? given : host + ":" + bound.port(), names == null || names.cover(bare(host)));
        }
        String host = host(bound);
        if (names == null) {
            return new AnnouncedAddress(host + ":" + bound.port(), true);
        }
        for (String each : candidates(host, names, bound)) {
            if (names.cover(bare(each))) {
                return new AnnouncedAddress(each + ":" + bound.port(), true);
            }
        }
        return new AnnouncedAddress(host + ":" + bound.port(), false);
    }

    private static String bare(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Where clients find the first socket. */
    private static String host(Listener.Bound bound) throws IOException {
        if (bound.sockets().isEmpty()) {
            return "localhost";
        }
        InetAddress first = bound.sockets().getFirst().getInetAddress();
        return first.isAnyLocalAddress() ? InetAddress.getLocalHost().getHostName() : literal(first.getHostAddress());
    }

    private static String literal(String address) {
        return address.contains(":") && !address.startsWith("[") ? "[" + address + "]" : address;
    }

    /** In the order of preference: names that others can reach, names for this machine alone, addresses. */
    private static List<String> candidates(String host, CertificateNames names, Listener.Bound bound)
            throws IOException {
        List<String> near = new ArrayList<>();
        List<String> far = new ArrayList<>();
        if (isEveryAddress(bound)) {
            far.add(host);
        }
        List<String> hosts = new ArrayList<>(names.names());
        if (names.names().stream().anyMatch(each -> each.startsWith("*."))) {
            hosts.add(InetAddress.getLocalHost().getCanonicalHostName());
        }
        hosts.stream().filter(each -> !each.startsWith("*.")).limit(NAMES_MAX).forEach(each -> {
            List<InetAddress> here = addressesHere(each, bound);
            if (!here.isEmpty()) {
                (here.stream().allMatch(InetAddress::isLoopbackAddress) ? near : far).add(each);
            }
        });
        far.addAll(near);
        far.add(host);
        for (String each : names.addresses()) {
            if (!addressesHere(each, bound).isEmpty()) {
                far.add(literal(each));
            }
        }
        return far;
    }

    private static boolean isEveryAddress(Listener.Bound bound) {
        return bound.sockets().stream().anyMatch(each -> each.getInetAddress().isAnyLocalAddress());
    }

    /** Those of the host's addresses that are listened on. */
    private static List<InetAddress> addressesHere(String host, Listener.Bound bound) {
        List<InetAddress> here = new ArrayList<>();
        try {
            for (InetAddress each : InetAddress.getAllByName(host)) {
                if (bound.sockets().stream().anyMatch(socket -> accepts(socket, each))) {
                    here.add(each);
                }
            }
        } catch (UnknownHostException e) {
            return List.of();
        }
        return here;
    }

    private static boolean accepts(ServerSocket socket, InetAddress address) {
        InetAddress listening = socket.getInetAddress();
        try {
            return listening.equals(address)
                    || (listening.isAnyLocalAddress()
                            && (address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null));
        } catch (SocketException e) {
            return false;
        }
    }
}
