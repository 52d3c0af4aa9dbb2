package dev.semel.cli.transfer;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The documents of a file, one after the other. */
public interface Items extends Closeable {
    /**
     * The next one; null at the end of the file.
     *
     * @throws BadItem when what is there is no document; asked again, it goes on behind it if that is possible
     */
    @Nullable
    Item next() throws IOException, BadItem;
}
