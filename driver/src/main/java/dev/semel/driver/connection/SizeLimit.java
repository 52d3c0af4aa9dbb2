package dev.semel.driver.connection;

import dev.semel.driver.error.MongoClientException;

/** Refuses what a server would refuse for its size: a server that is sent too much may end the connection instead. */
public final class SizeLimit {
    /** What a command may be larger than a document, so that a document of the largest size has room in it. */
    public static final int COMMAND_OVERHEAD_BYTES = 16 * 1024;

    private SizeLimit() {}

    /** The limit of documents that contain another one, with what goes with it. */
    public static long ofContaining(int documentBytesMax) {
        return (long) documentBytesMax + COMMAND_OVERHEAD_BYTES;
    }

    public static void check(String what, long bytes, long bytesMax) {
        if (bytes > bytesMax) {
            throw new MongoClientException(
                    what + " of " + bytes + " bytes is larger than the server's limit of " + bytesMax + " bytes");
        }
    }
}
