package dev.semel.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ErrorCodesTest {
    @Test
    void everyNamedCodeIsFoundByItsNumber() {
        assertThat(Arrays.stream(ErrorCode.class.getFields()).map(ErrorCodesTest::value))
                .hasSizeGreaterThan(100)
                .allSatisfy(
                        code -> assertThat(ErrorCodes.numbered(code.number())).isEqualTo(code));
    }

    private static ErrorCode value(java.lang.reflect.Field field) {
        try {
            return (ErrorCode) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aNumberWithoutANameIsALocation() {
        assertThat(ErrorCodes.numbered(12345)).isEqualTo(new ErrorCode(12345, "Location12345"));
    }

    @Test
    void codesByWhichServersAreTakenForUnknownAreThoseOfTheSpecification() {
        assertThat(IntStream.range(0, 20_000).filter(ErrorCodes::isStateChange))
                .containsExactly(91, 189, 10058, 10107, 11600, 11602, 13435, 13436);
        assertThat(IntStream.range(0, 20_000).filter(ErrorCodes::isShutdown)).containsExactly(91, 11600);
    }
}
