package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/retryability.md names every requirement once, and only proofs that exist. */
class RetryabilityPageTest {
    private static Stream<String> ids(String kind, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(each -> kind + "-" + each);
    }

    @Test
    void everyRequirementIsListedOnce() throws IOException {
        assertThat(ProofPage.read("retryability.md").ids())
                .containsExactlyElementsOf(Stream.of(ids("RW", 65), ids("RR", 50), ids("CUR", 23))
                        .flatMap(each -> each)
                        .toList());
    }

    @Test
    void whatIsMetHasProofThatExists() throws IOException {
        for (var row : ProofPage.read("retryability.md").rows()) {
            assertThat(row.state()).as(row.id()).matches("met.*|not applicable: .+|not met: .+");
            for (var proof : row.proofs()) {
                assertThat(proof.source()).isNotEmpty();
            }
            if (row.state().startsWith("met")) {
                assertThat(row.proofs()).as(row.id()).isNotEmpty();
            }
        }
    }
}
