package dev.semel.server.commands;

import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What {@code explain} says of the server, for those who compare explanations of several.
 *
 * @param stageBytesMax what one stage may hold in memory, whichever it is
 */
record ExplainedServer(ProcessInfo process, LongSupplier stageBytesMax) {
    /** The names of MongoDB's limits in place of which there is one here. */
    private static final List<String> LIMITS = List.of(
            "internalQueryFacetBufferSizeBytes",
            "internalDocumentSourceGroupMaxMemoryBytes",
            "internalQueryMaxBlockingSortMemoryUsageBytes",
            "internalQueryMaxAddToSetBytes",
            "internalDocumentSourceSetWindowFieldsMaxMemoryBytes");

    void addTo(BsonWriter out) {
        String address = process.host();
        int colon = address.lastIndexOf(':');
        out.startDocument("serverInfo")
                .put("host", colon < 0 ? address : address.substring(0, colon))
                .put("port", colon < 0 ? 0 : Integer.parseInt(address.substring(colon + 1)))
                .put("version", BuildInfo.MONGODB_VERSION)
                .put("gitVersion", BuildInfo.gitVersion(ProcessInfo.version()))
                .end()
                .startDocument("serverParameters");
        long bytes = stageBytesMax.getAsLong();
        for (String each : LIMITS) {
            out.put(each, bytes == (int) bytes ? Value.of((int) bytes) : Value.of(bytes));
        }
        out.put("internalQueryProhibitBlockingMergeOnMongoS", 0)
                .put("internalQueryFrameworkControl", "forceClassicEngine")
                .end();
    }
}
