package dev.semel.server.status;

import dev.semel.wire.bson.RawDocument;
import java.time.Instant;
import java.util.List;

/**
 * What does not change while the server runs.
 *
 * @param host its name and port
 * @param storageEngine the name of the engine
 * @param isPersistent whether anything survives the process
 * @param arguments the command line, if there is one
 * @param options what was understood of it and of the configuration file
 */
public record ProcessInfo(
        String host,
        long processId,
        Instant started,
        String storageEngine,
        boolean isPersistent,
        List<String> arguments,
        RawDocument options) {
    /** The version of MongoDB whose behaviour clients may expect. */
    public static final String COMPATIBLE_VERSION = "8.0.0";

    public static final int WIRE_VERSION_MIN = 0;
    public static final int WIRE_VERSION_MAX = 25;

    /** Our own version: that of the jar. */
    public static String version() {
        String version = ProcessInfo.class.getPackage().getImplementationVersion();
        return version == null ? "0.1.0-SNAPSHOT" : version;
    }
}
