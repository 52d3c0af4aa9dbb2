package dev.semel.blackpipe.proxy;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Replaces the server's addresses in its replies by the proxy's, so that drivers keep connecting through the proxy. */
final class HelloRewrite {
    private static final Set<String> LISTS = Set.of("hosts", "passives", "arbiters");
    private static final Set<String> SINGLE = Set.of("primary", "me");

    private HelloRewrite() {}

    static RawDocument rewrite(RawDocument hello, UnaryOperator<String> toProxy, boolean steppedDown) {
        BsonWriter out = new BsonWriter(hello.length() + 64);
        for (var at = hello.cursor(); at.next(); ) {
            String name = at.name();
            if (steppedDown && isReplaced(out, name, at)) {
                continue;
            }
            if (LISTS.contains(name) && at.value() instanceof Value.Array(RawDocument hosts)) {
                out.startArray(name);
                hosts.forEach(each -> {
                    if (each.value() instanceof Value.Str(var host)) {
                        out.add(toProxy.apply(host.toString()));
                    }
                });
                out.end();
            } else if (SINGLE.contains(name) && at.value() instanceof Value.Str(var host)) {
                out.put(name, toProxy.apply(host.toString()));
            } else {
                out.copy(at);
            }
        }
        return out.finish();
    }

    /** The fields that differ while the step-down lasts; without a topology version, drivers take the reply for a new one. */
    private static boolean isReplaced(BsonWriter out, String name, ElementCursor at) {
        switch (name) {
            case "isWritablePrimary", "ismaster", "secondary" -> out.put(name, name.equals("secondary"));
            case "primary", "electionId", "topologyVersion" -> {}
            default -> {
                return false;
            }
        }
        return !at.name().isEmpty();
    }
}
