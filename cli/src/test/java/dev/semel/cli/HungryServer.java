package dev.semel.cli;

import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** {@code semel} with a log handler that allocates all memory when a command with a certain comment is logged. */
final class HungryServer {
    static final String COMMENT = "take all memory";

    private static final Logger COMMANDS = Logger.getLogger("dev.semel.command");

    private HungryServer() {}

    public static void main(String[] args) {
        COMMANDS.addHandler(new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getMessage().contains(COMMENT)) {
                    takeAllMemory();
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        Main.main(args);
    }

    private static void takeAllMemory() {
        Object[] taken = {};
        for (int bytes = 1 << 22; ; bytes = Math.max(16, bytes / 2)) {
            try {
                while (true) {
                    taken = new Object[] {taken, new byte[bytes]};
                }
            } catch (OutOfMemoryError e) {
                if (bytes == 16) {
                    throw e;
                }
            }
        }
    }
}
