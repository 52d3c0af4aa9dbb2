package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** docs/prose-tests.md names every test of the specifications that exists only as text, and only proofs that exist. */
class ProsePageTest {
    private static final String IDS = """
        RWP-1 RWP-2 RWP-3 RWP-4 RWP-5 RWP-6.1 RWP-6.2 RWP-6.3 RWP-6.4 RWP-6.5 RRP-1 RRP-2.1 RRP-2.2 RRP-3.1 RRP-3.2
        RRP-3.3 RRP-4 RRP-5 BPP-1 BPP-3 BPP-4 BPP-5 SESSP-1 SESSP-2 SESSP-3 SESSP-4 SESSP-5 SESSP-6 SESSP-7 SESSP-8
        SESSP-9 SESSP-10 SESSP-11 SESSP-12 SESSP-13 SESSP-14 SESSP-16 SESSP-17 SESSP-18 SESSP-19 SESSP-20 SESSP-21
        SESSP-22 SESSP-23 CCP-1 CCP-2 CCP-3 CCP-4 CCP-5 CCP-6 CCP-7 CCP-8 CCP-9 CCP-11 CCP-12 TXNP-1 TXNP-2 TXNP-3
        TXNP-4 TXNC-1 TXNC-2 TXNC-3a TXNC-3b TXNC-3c TXNC-4 CMAPP-1 CMAPP-2 CMAPP-3 CMAPP-4 CMAPP-5 SDAMP-1 SDAMP-2
        SDAMP-3 SDAMP-4 SDAMP-5 SDAMP-6 SDAMP-7 SDAMP-8 SDAMP-9 SDAMP-10 SDAMP-11 SDAMP-12 SDAMP-13 SDAMP-14 SDAMP-15
        SSP-1 SSP-2 STEP-1 STEP-2 STEP-3 STEP-4 CSOTP-1 CSOTP-2 CSOTP-3 CSOTP-4.1 CSOTP-4.2 CSOTP-5.1 CSOTP-5.2
        CSOTP-6.1 CSOTP-6.2 CSOTP-7 CSOTP-8.1 CSOTP-8.2 CSOTP-8.3 CSOTP-8.4 CSOTP-8.5 CSOTP-8.6 CSOTP-9 CSOTP-10
        CSOTP-11 CSOTP-U1 CSOTP-U2 CSOTP-U3 CSOTP-U4 CSOTP-U5 CSOTP-U6 CRUDP-1 CRUDP-2 CRUDP-3 CRUDP-4 CRUDP-5 CRUDP-6
        CRUDP-7 CRUDP-8 CRUDP-9 CRUDP-11.1 CRUDP-11.2 CRUDP-12.1 CRUDP-12.2 CRUDP-14 CRUDP-15 CRUDP-16 CSP-1 CSP-2 CSP-3
        CSP-4 CSP-6 CSP-7 CSP-8 CSP-11 CSP-13 CSP-14 CSP-17 CSP-18 CSP-19 CLAMP-1 CLAMP-2 CLAMP-3 HSP-1.1 HSP-1.2
        HSP-1.3 HSP-1.4 HSP-1.5 HSP-1.6 HSP-1.7 HSP-1.8 HSP-1.9 HSP-2 HSP-M1.1 HSP-M1.2 HSP-M1.3 HSP-M1.4 HSP-M2.1
        HSP-M2.2 HSP-M2.3 HSP-M2.4 HSP-M3.1 HSP-M3.2 HSP-M3.3 HSP-M3.4 HSP-M3.5 HSP-M3.6 HSP-M3.7 HSP-M4 HSP-M5 HSP-M6
        HSP-M7.2 HSP-M7.3 HSP-M8.2 HSP-M8.3 HSP-9 AUTHP-1 AUTHP-2 AUTHP-3 AUTHP-4 AUTHP-5 AUTHP-6 AUTHP-7 AUTHP-AWS
        AUTHP-OIDC LBP-1 IDXP-1 IDXP-2 APIP-1
        """;

    @Test
    void everyTestIsListedOnce() throws IOException {
        assertThat(ProofPage.read("prose-tests.md").ids())
                .containsExactly(IDS.strip().split("\\s+", -1));
    }

    @Test
    void whatIsProvedNamesTestsThatNameIt() throws IOException {
        for (var row : ProofPage.read("prose-tests.md").rows()) {
            assertThat(row.state()).as(row.id()).matches("proved|in part: .+|not applicable: .+");
            for (var proof : row.proofs()) {
                assertThat(proof.source()).as(proof.testClass()).containsPattern("\\b" + row.id() + "\\b(?!\\.\\d)");
            }
            assertThat(row.proofs().isEmpty())
                    .as(row.id())
                    .isEqualTo(row.state().startsWith("not"));
        }
    }
}
