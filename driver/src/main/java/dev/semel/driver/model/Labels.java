package dev.semel.driver.model;

import java.util.Arrays;
import java.util.function.Function;

/** Finds constants by their names in the protocol. */
final class Labels {
    private Labels() {}

    static <E extends Enum<E>> E named(E[] constants, Function<E, String> label, String name) {
        return Arrays.stream(constants)
                .filter(each -> label.apply(each).equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + name + "' is none of "
                        + Arrays.stream(constants).map(label).toList()));
    }
}
