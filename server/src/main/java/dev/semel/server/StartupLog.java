package dev.semel.server;

import dev.semel.server.net.Listener;
import dev.semel.server.status.Log;
import dev.semel.server.tls.Tls;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.nio.file.Path;

/** The log messages of a server that has started. */
final class StartupLog {
    private final ServerOptions options;
    private final Wiring parts;

    StartupLog(ServerOptions options, Wiring parts) {
        this.options = options;
        this.parts = parts;
    }

    void write(AnnouncedAddress announced, Listener.Bound bound) {
        parts.log.info(Log.Component.NETWORK, "main", "Waiting for connections", summary());
        warn(announced, bound);
    }

    private RawDocument summary() {
        BsonWriter summary = new BsonWriter().put("address", parts.address);
        String setName = parts.replicaSet.name();
        if (setName != null) {
            summary.put("replicaSet", setName);
        }
        Path directory = options.directory();
        if (directory != null) {
            summary.put("dbPath", directory.toString());
        }
        Tls tls = options.security().tls();
        return summary.put("engine", parts.process.storageEngine())
                .put("tls", tls == null ? "disabled" : tls.mode().name())
                .put("accessControl", parts.access.isEnabled())
                .finish();
    }

    /** Settings that work, but are probably not intended. */
    private void warn(AnnouncedAddress announced, Listener.Bound bound) {
        parts.replication.warnings().forEach(parts.log::startupWarning);
        if (!announced.isProven()) {
            parts.log.startupWarning("The certificate is not valid for " + announced.hostAndPort()
                    + ", the address that clients get; those that verify it will refuse the connection. Advertise a"
                    + " name that it holds");
        }
        if (parts.access.isEnabled() && !parts.users.exist()) {
            parts.log.startupWarning(
                    "Access control is on and there is no user yet: a client on this machine may create the first one"
                            + " in the database admin, with createUser, or initiate a replica set, and nothing else is"
                            + " allowed");
        }
        if (!parts.access.isEnabled()
                && bound.sockets().stream()
                        .anyMatch(each -> !each.getInetAddress().isLoopbackAddress())) {
            parts.log.startupWarning(
                    "Access control is off, and clients on other machines can connect: anyone who reaches this"
                            + " server can read and change everything");
        }
    }
}
