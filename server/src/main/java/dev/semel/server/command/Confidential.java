package dev.semel.server.command;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;

/** Commands as they may be shown: what passwords can be had from is replaced. */
final class Confidential {
    private static final Set<String> FIELDS = Set.of("pwd", "payload");
    private static final String INSTEAD = "xxx";

    private Confidential() {}

    static RawDocument without(RawDocument command) {
        BsonWriter out = new BsonWriter(command.length());
        for (var at = command.cursor(); at.next(); ) {
            if (FIELDS.contains(at.name())) {
                out.put(at.name(), INSTEAD);
            } else if (!at.name().equals("speculativeAuthenticate")) {
                out.copy(at);
            }
        }
        return out.finish();
    }
}
