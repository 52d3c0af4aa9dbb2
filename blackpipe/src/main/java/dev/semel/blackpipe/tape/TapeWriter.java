package dev.semel.blackpipe.tape;

import dev.semel.blackpipe.proxy.Observation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/** Writes the traffic of a proxy line by line, so a killed process loses at most the last line. */
public final class TapeWriter implements Observation.Observer, AutoCloseable {
    private final BufferedWriter out;
    private final ReentrantLock lock = new ReentrantLock();
    private boolean closed;

    private TapeWriter(BufferedWriter out) {
        this.out = out;
    }

    public static TapeWriter to(Path file) throws IOException {
        return new TapeWriter(Files.newBufferedWriter(file));
    }

    @Override
    public void observed(Observation each) {
        BsonWriter line = new BsonWriter()
                .put("connection", each.request().connection())
                .put("application", each.request().application())
                .put("request", each.request().document());
        if (each.reply() != null) {
            line.put("reply", each.reply());
        }
        if (!each.fault().isEmpty()) {
            line.put("fault", each.fault());
        }
        String text = Json.canonical(line.put("ms", each.micros() / 1000.0).finish());
        lock.lock();
        try {
            if (!closed) {
                out.write(text);
                out.newLine();
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            closed = true;
            out.close();
        } finally {
            lock.unlock();
        }
    }
}
