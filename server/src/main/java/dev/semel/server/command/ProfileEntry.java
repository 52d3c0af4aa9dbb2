package dev.semel.server.command;

import dev.semel.server.auth.Identity;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.ObjectId;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation that has ended, as {@code system.profile} shows it. */
final class ProfileEntry {
    private ProfileEntry() {}

    static RawDocument of(Call call, RawDocument reply, @Nullable CommandException failure, ObjectId id, long nowMs) {
        String op = RunningOperations.kind(call);
        BsonWriter out = new BsonWriter(1024)
                .put("_id", new Value.Oid(id))
                .put("op", op)
                .put("ns", RunningOperations.namespace(call))
                .put("command", Excerpt.of(command(call), Excerpt.BYTES_MAX))
                .put("keysExamined", integer(call.keysExamined()))
                .put("docsExamined", integer(call.documentsExamined()));
        if (failure == null) {
            outcome(op, reply, out);
        }
        out.put("numYield", 0);
        if (failure != null) {
            out.put("ok", 0)
                    .put("errMsg", failure.text())
                    .put("errName", failure.code().codeName())
                    .put("errCode", failure.code().number());
        }
        out.startDocument("locks").end().startDocument("flowControl").end();
        if (call.isWrite() && call.spec().is(Spec.Trait.WRITE_CONCERN)) {
            call.writeConcern().writeTo(out);
        }
        out.put("responseLength", reply.length())
                .put("protocol", "op_msg")
                .put("millis", integer(call.elapsedNanos() / 1_000_000));
        String plan = call.planSummary();
        if (!plan.isEmpty()) {
            out.put("planSummary", plan);
        }
        out.put("ts", new Value.Date(nowMs)).put("client", call.client().remote());
        if (!call.client().appName().isEmpty()) {
            out.put("appName", call.client().appName());
        }
        users(call.client().identity(), out);
        return out.finish();
    }

    /** One statement of an {@code update} or {@code delete} stands for itself. */
    private static RawDocument command(Call call) {
        String statements = switch (call.spec().name()) {
            case "update" -> "updates";
            case "delete" -> "deletes";
            default -> "";
        };
        if (!statements.isEmpty() && call.hasBegun()) {
            List<RawDocument> all = call.arguments().documents(statements);
            if (all.size() == 1) {
                return all.getFirst();
            }
        }
        return call.shown();
    }

    private static void outcome(String op, RawDocument reply, BsonWriter out) {
        switch (op) {
            case "insert" -> {
                out.put("ninserted", number(reply.get("n")));
                out.put("keysInserted", number(reply.get("n")));
            }
            case "update" -> {
                long upserted = reply.get("upserted") instanceof Value.Array(RawDocument all) ? count(all) : 0;
                out.put("nMatched", number(reply.get("n"), upserted)).put("nModified", number(reply.get("nModified")));
                out.put("nUpserted", integer(upserted));
                if (upserted > 0) {
                    out.put("upsert", true);
                }
            }
            case "remove" -> out.put("ndeleted", number(reply.get("n")));
            default -> {
                if (reply.get("cursor") instanceof Value.Doc(RawDocument cursor)) {
                    cursor(cursor, out);
                }
            }
        }
    }

    private static void cursor(RawDocument cursor, BsonWriter out) {
        if (cursor.get("id") instanceof Value.Int64(long id)) {
            if (id == 0) {
                out.put("cursorExhausted", true);
            } else {
                out.put("cursorid", id);
            }
        }
        Value batch = cursor.get("firstBatch") == null ? cursor.get("nextBatch") : cursor.get("firstBatch");
        if (batch instanceof Value.Array(RawDocument documents)) {
            out.put("nreturned", integer(count(documents)));
        }
    }

    private static long count(RawDocument elements) {
        long count = 0;
        for (ElementCursor at = elements.cursor(); at.next(); ) {
            count++;
        }
        return count;
    }

    private static Value number(@Nullable Value given) {
        return given == null ? Value.of(0) : given;
    }

    private static Value number(@Nullable Value given, long less) {
        return given instanceof Value.Int32(int value) ? integer(value - less) : number(given);
    }

    private static Value integer(long value) {
        return value == (int) value ? Value.of((int) value) : Value.of(value);
    }

    private static void users(@Nullable Identity identity, BsonWriter out) {
        out.startArray("allUsers");
        if (identity != null) {
            out.startDocument()
                    .put("user", identity.name().name())
                    .put("db", identity.name().database())
                    .end();
        }
        out.end().put("user", identity == null ? "" : identity.name().toString());
    }
}
