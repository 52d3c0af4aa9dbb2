package dev.semel.driver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The name service of the tests' JVM. It never answers questions about some names, whatever happens to who asked. */
public final class HangingNames extends InetAddressResolverProvider {
    static final String SUFFIX = ".hangs.invalid";

    /** Those that are being looked up, for ever. A test cannot hand this class an object: the JDK makes its only instance. */
    private static final Set<String> ASKED = ConcurrentHashMap.newKeySet();

    static boolean isAsked(String name) {
        return ASKED.contains(name);
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (host.endsWith(SUFFIX)) {
                    ASKED.add(host);
                    while (!host.isEmpty()) {
                        LockSupport.park();
                    }
                }
                return usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "hanging names";
    }
}
