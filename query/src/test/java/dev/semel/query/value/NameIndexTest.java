package dev.semel.query.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameIndexTest {
    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static int placeOf(String name, NameIndex index) {
        byte[] around = utf8("x" + name + "y");
        return index.placeOf(around, 1, around.length - 1);
    }

    /** Few are compared with each, many are searched for. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 8, 9, 10, 100, 1000})
    void knowsThePlaceOfEachNameAndOfNoOther(int count) {
        List<String> names = IntStream.range(0, count)
                .map(each -> each * 7919 % 104_729)
                .mapToObj(each -> each % 2 == 0 ? "f" + each : "é" + each)
                .toList();
        NameIndex index = NameIndex.of(names);

        for (String each : names) {
            assertThat(placeOf(each, index)).isEqualTo(names.indexOf(each));
            assertThat(index.name(names.indexOf(each))).isEqualTo(utf8(each));
            assertThat(placeOf(each + "0000", index)).isEqualTo(-1);
        }
        assertThat(placeOf("", index)).isEqualTo(-1);
        assertThat(placeOf("f", index)).isEqualTo(-1);
        assertThat(placeOf("\uFFFF", index)).isEqualTo(-1);
    }
}
