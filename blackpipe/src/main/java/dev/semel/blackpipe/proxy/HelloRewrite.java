package dev.semel.blackpipe.proxy;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes a server speak of the proxy's addresses where it would name its own, so that drivers stay behind the proxy. */
final class HelloRewrite {
    private static final Set<String> LISTS = Set.of("hosts", "passives", "arbiters");
    private static final Set<String> SINGLE = Set.of("primary", "me");

    private HelloRewrite() {}

    static RawDocument rewrite(RawDocument hello, UnaryOperator<String> toProxy, boolean steppedDown) {
        BsonWriter out = new BsonWriter(hello.length() + 64);
        for (var at = hello.cursor(); at.next(); ) {
            String name = at.name();
            if (steppedDown && deposed(out, name, at)) {
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

    /** What a primary says differently when it is none; without a version, drivers hold it for news. */
    private static boolean deposed(BsonWriter out, String name, ElementCursor at) {
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
