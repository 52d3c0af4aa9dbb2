package dev.semel.server.statement;

import dev.semel.query.value.Collation;
import dev.semel.server.once.Fingerprint;
import dev.semel.server.once.TokenCommand;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprints of write commands, made of what was understood and not of what was sent: another driver may send the same
 * command with its fields in another order, with defaults spelt out, or its documents in their own section.
 */
public final class Fingerprints {
    private Fingerprints() {}

    static Fingerprint of(String command, List<Write> writes, boolean ordered) {
        Fingerprint.Maker maker = new Fingerprint.Maker(TokenCommand.named(command));
        maker.add(new BsonWriter(16).put("ordered", ordered).finish());
        for (Write write : writes) {
            add(maker, write);
        }
        return maker.finish(writes.size());
    }

    /** Of a command that is one statement and answers with more than numbers; the rest determines that answer. */
    public static Fingerprint of(String command, Write write, RawDocument rest) {
        Fingerprint.Maker maker = new Fingerprint.Maker(TokenCommand.named(command));
        add(maker, write);
        maker.add(rest);
        return maker.finish(1);
    }

    private static void add(Fingerprint.Maker maker, Write write) {
        switch (write) {
            case Write.Insert(var collection, RawDocument document, Bypass bypass) -> {
                BsonWriter out = new BsonWriter().put("insert", collection.toString());
                add(bypass, out);
                maker.add(out.finish());
                maker.addInserted(document);
            }
            case Write.Update update -> maker.add(fields(update));
            case Write.Delete delete -> maker.add(fields(delete));
        }
    }

    private static RawDocument fields(Write.Update update) {
        BsonWriter out = new BsonWriter()
                .put("update", update.collection().toString())
                .put("q", update.filter())
                .put("u", update.modification())
                .put("multi", update.multi())
                .put("upsert", update.upsert())
                .put("sort", update.sort())
                .put("c", update.constants())
                .put("let", update.let());
        add(update.bypass(), out);
        out.startArray("arrayFilters");
        update.arrayFilters().forEach(out::add);
        out.end();
        RawDocument supplied = update.suppliedNew();
        if (supplied != null) {
            out.put("new", supplied);
        }
        return finish(out, update.hint(), update.collation());
    }

    /** What is seldom asked for is left out, so that fingerprints stay those of versions that did not know it. */
    private static void add(Bypass bypass, BsonWriter out) {
        out.put("bypass", bypass.validation());
        if (bypass.emptyTimestamps()) {
            out.put("bypassTimestamps", true);
        }
    }

    private static RawDocument fields(Write.Delete delete) {
        BsonWriter out = new BsonWriter()
                .put("delete", delete.collection().toString())
                .put("q", delete.filter())
                .put("multi", delete.multi())
                .put("sort", delete.sort())
                .put("let", delete.let());
        return finish(out, delete.hint(), delete.collation());
    }

    private static RawDocument finish(BsonWriter out, @Nullable Value hint, @Nullable Collation collation) {
        if (hint != null) {
            out.put("hint", hint);
        }
        if (collation != null) {
            out.put("collation", collation.document());
        }
        return out.finish();
    }
}
