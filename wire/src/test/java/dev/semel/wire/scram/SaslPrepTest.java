package dev.semel.wire.scram;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaslPrepTest {
    /** The examples of RFC 4013, and what its tables name. */
    @ParameterizedTest
    @CsvSource({
        "I\u00ADX, IX",
        "user, user",
        "USER, USER",
        "\u00AA, a",
        "\u2168, IX",
        "a\u00A0b, a b",
        "a\u3000b, a b",
        "e\u0301, \u00E9",
        "x\uFE0Fy, xy",
        "\u06271\u0628, \u06271\u0628",
        "\uD83D\uDE00, \uD83D\uDE00"
    })
    void waysToTypeTheSamePasswordGiveTheSame(String typed, String normal) {
        assertThat(SaslPrep.prepare(typed)).isEqualTo(normal);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0007",
                "a\u007F",
                "\u0085",
                "\uE000",
                "\uFFFE",
                "\uD800",
                "\u200E",
                "\u2028",
                "\uFFFD",
                "\u2FF0",
                "\u06271",
                "\u0627a\u0628"
            })
    void whatMustNotBeInAPasswordIsRefused(String password) {
        assertThatThrownBy(() -> SaslPrep.prepare(password)).isInstanceOf(IllegalArgumentException.class);
    }

    /** The example of RFC 7677. */
    @Test
    void proofIsThatOfTheStandard() {
        ScramHash hash = ScramHash.SHA_256;
        byte[] salted = hash.salted("pencil", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
        String nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
        byte[] signed = ("n=user,r=rOprNGfwEbeRWgbNEkqO,r=" + nonce + ",s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r="
                        + nonce)
                .getBytes(US_ASCII);
        byte[] clientKey = hash.clientKey(salted);
        byte[] proof = ScramHash.xor(hash.mac(hash.hash(clientKey), signed), clientKey);
        assertThat(ScramMessage.encoded(proof)).isEqualTo("dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assertThat(ScramMessage.encoded(hash.mac(hash.serverKey(salted), signed)))
                .isEqualTo("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
    }

    /** The same for the user "user" and the password "pencil", as MongoDB's drivers have always had it. */
    @Test
    void oldMechanismTakesTheDigestOfNameAndPassword() {
        assertThat(ScramHash.SHA_1.prepared("user", "pencil")).isEqualTo("1c33006ec1ffd90f9cadcbcc0e118200");
    }
}
