package dev.semel.store.spill;

import java.util.function.LongSupplier;

/**
 * What temporary files may take of the disk, asked for again and again.
 *
 * @param bytesMax all of them together
 * @param parameter the name under which that is set, for messages
 * @param freeBytesMin what they leave free on the disk
 */
public record SpillLimits(LongSupplier bytesMax, String parameter, LongSupplier freeBytesMin) {
    public static SpillLimits unlimited() {
        return new SpillLimits(() -> Long.MAX_VALUE, "", () -> 0);
    }
}
