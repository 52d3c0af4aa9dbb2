package dev.semel.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.status.ProcessInfo;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainedServerTest {
    @Test
    void saysWhichServerItIsAndWhatItsStagesMayHold() {
        ProcessInfo process =
                new ProcessInfo("[::1]:27018", 1, Instant.EPOCH, "memory", false, List.of(), RawDocument.EMPTY);
        BsonWriter out = new BsonWriter();
        new ExplainedServer(process, () -> 1000).addTo(out);
        assertThat(Shell.text(out.finish()).replace(ProcessInfo.version(), "VERSION"))
                .isEqualTo("{ serverInfo: { host: \"[::1]\", port: 27018, version: \"8.0.0\", gitVersion:"
                        + " \"semel-VERSION\" }, serverParameters: { internalQueryFacetBufferSizeBytes: 1000,"
                        + " internalDocumentSourceGroupMaxMemoryBytes: 1000,"
                        + " internalQueryMaxBlockingSortMemoryUsageBytes: 1000, internalQueryMaxAddToSetBytes: 1000,"
                        + " internalDocumentSourceSetWindowFieldsMaxMemoryBytes: 1000,"
                        + " internalQueryProhibitBlockingMergeOnMongoS: 0,"
                        + " internalQueryFrameworkControl: \"forceClassicEngine\" } }");
    }
}
