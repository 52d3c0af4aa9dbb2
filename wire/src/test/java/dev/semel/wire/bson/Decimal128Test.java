package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.golden.Seeds;
import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the corpus does not ask; see {@link BsonCorpusTest}. */
final class Decimal128Test {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "e1",
                "1e",
                "1 ",
                " 1",
                "--1",
                "+-1",
                "1.1.1",
                "0x10",
                "١",
                "1e99999999999",
                "1000000000000000000000000000000000000000E+2147483647",
                "1E-6177",
                "1E+6145",
                "12345678901234567890123456789012345"
            })
    void whatIsNoDecimalIsRefused(String text) {
        assertThatThrownBy(() -> Decimal128.parse(text)).isInstanceOf(NumberFormatException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "12345678901234567890123456789012345, 1.234567890123456789012345678901234E+34",
        "12345678901234567890123456789012355, 1.234567890123456789012345678901236E+34",
        "1E+6145, Infinity",
        "-1E+2147483647, -Infinity",
        "1E-2147483647, 0E-6176",
        "-1E-7000, -0E-6176",
        "1.5E-6176, 2E-6176",
        "0.4E-6176, 0E-6176",
        "1E+6112, 1.0E+6112"
    })
    void numberIsRoundedToTheNearestDecimal(BigDecimal number, String decimal) {
        assertThat(Decimal128.of(number)).hasToString(decimal);
    }

    @Test
    void textIsReadAsWhatWasWritten() {
        Seeds.check(500, random -> {
            Decimal128 decimal = Documents.of(random).decimal();
            assertThat(Decimal128.parse(decimal.toString())).isEqualTo(decimal);
        });
    }

    @Test
    void bitsOfEveryPatternCanBePrinted() {
        Seeds.check(500, random -> {
            Decimal128 decimal = new Decimal128(random.nextLong(), random.nextLong());
            Decimal128 again = Decimal128.parse(decimal.toString());
            assertThat(again).hasToString(decimal.toString());
            assertThat(again.isNaN()).isEqualTo(decimal.isNaN());
            assertThat(again.isZero()).isEqualTo(decimal.isZero());
        });
    }

    @Test
    void longsAreExact() {
        assertThat(Decimal128.of(Long.MAX_VALUE)).hasToString("9223372036854775807");
        assertThat(Decimal128.of(Long.MIN_VALUE)).hasToString("-9223372036854775808");
        assertThat(Decimal128.of(0)).isEqualTo(Decimal128.ZERO);
    }

    @Test
    void doubleIsTheNearest() {
        assertThat(Decimal128.parse("0.1").doubleValue()).isEqualTo(0.1);
        assertThat(Decimal128.parse("-0").doubleValue()).isEqualTo(-0.0);
        assertThat(Decimal128.parse("9E+6144").doubleValue()).isInfinite();
        assertThat(Decimal128.NAN.doubleValue()).isNaN();
        assertThat(Decimal128.NEGATIVE_INFINITY.doubleValue()).isEqualTo(Double.NEGATIVE_INFINITY);
    }

    @Test
    void infinityIsNoFiniteNumber() {
        assertThatThrownBy(Decimal128.POSITIVE_INFINITY::toBigDecimal).isInstanceOf(ArithmeticException.class);
    }
}
