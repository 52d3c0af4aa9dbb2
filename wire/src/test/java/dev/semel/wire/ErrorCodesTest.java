package dev.semel.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
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
}
