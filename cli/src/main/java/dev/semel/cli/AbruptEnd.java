package dev.semel.cli;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends a process that must not go on: it writes one last line and sends nothing more to clients, since acknowledged writes
 * may not be on disk. If memory has run out it allocates none: everything it needs is created at the start.
 */
final class AbruptEnd implements Consumer<Throwable> {
    private static final int DETAIL_BYTES_MAX = 200;
    private static final String AFTER =
            "; the process ends at once. -Xmx gives it more memory; docs/limits.md says what takes how much";

    private final FileOutputStream err = new FileOutputStream(FileDescriptor.err);
    private final byte[] before = bytes("semel serve: out of memory: ");
    private final byte[] after = bytes(AFTER + System.lineSeparator());
    private final int noMemoryCode = ExitCode.OUT_OF_MEMORY.number();
    private final int otherCode = ExitCode.UNRECOVERABLE.number();
    private volatile File[] files = {};
    private final byte[] line = new byte[before.length + DETAIL_BYTES_MAX + after.length];

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** To be removed at the end: nobody may take the process for one that runs. */
    void removes(List<Path> paths) {
        files = paths.stream().map(Path::toFile).toArray(File[]::new);
    }

    @Override
    public void accept(Throwable cause) {
        var noMemory = noMemory(cause);
        try {
            say(cause, noMemory);
            for (File each : files) {
                each.delete();
            }
        } catch (IOException nobodyReads) {
            // There is no other place to say it.
        } finally {
            Runtime.getRuntime().halt(noMemory == null ? otherCode : noMemoryCode);
        }
    }

    private void say(Throwable cause, @Nullable OutOfMemoryError noMemory) throws IOException {
        if (noMemory == null) {
            err.write(
                    ("semel serve: cannot go on: " + cause + System.lineSeparator()).getBytes(StandardCharsets.UTF_8));
        } else {
            writeNoMemory(noMemory.getMessage());
        }
    }

    private static @Nullable OutOfMemoryError noMemory(Throwable cause) {
        for (var each = cause; each != null; each = each.getCause()) {
            if (each instanceof OutOfMemoryError found) {
                return found;
            }
        }
        return null;
    }

    /** Of two threads that come here at once the line of one is lost, which does no harm. */
    private synchronized void writeNoMemory(@Nullable String detail) throws IOException {
        int length = put(before, 0);
        for (int i = 0; detail != null && i < Math.min(detail.length(), DETAIL_BYTES_MAX); i++) {
            char next = detail.charAt(i);
            line[length++] = (byte) (next < ' ' || next > '~' ? '?' : next);
        }
        length = put(after, length);
        err.write(line, 0, length);
    }

    private int put(byte[] text, int at) {
        System.arraycopy(text, 0, line, at, text.length);
        return at + text.length;
    }
}
