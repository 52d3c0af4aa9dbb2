package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Set;

/** Sends commands that nobody would write, and holds each reply to what one has to be: well formed, and no defect of the server. */
final class CheckedCommand {
    /** They end the process, write files, or make later commands fail or wait, which is what they are for. */
    private static final Set<String> LEFT_OUT = Set.of(
            "shutdown",
            "fsync",
            "configureFailPoint",
            "waitForFailPoint",
            "setParameter",
            "replSetStepDown",
            "replSetFreeze",
            "replSetMaintenance");

    private CheckedCommand() {}

    static boolean isLeftOut(RawDocument command) {
        var first = command.first();
        return first != null && LEFT_OUT.contains(first.name());
    }

    /** @param maxTimeMs of a command that has none */
    static void run(LocalConnection connection, RawDocument command, int maxTimeMs) {
        checkReply(command, connection.run(sent(command, maxTimeMs)));
    }

    private static RawDocument sent(RawDocument command, int maxTimeMs) {
        BsonWriter sent = new BsonWriter().copyAll(command);
        if (command.get("$db") == null) {
            sent.put("$db", "d");
        }
        if (command.get("maxTimeMS") == null) {
            sent.put("maxTimeMS", maxTimeMs);
        }
        return sent.finish();
    }

    private static void checkReply(RawDocument command, RawDocument reply) {
        byte[] bytes = reply.toBytes();
        BsonValidation.check(bytes, 0, bytes.length);
        if (reply.get("writeErrors") instanceof Value.Array(RawDocument errors)) {
            errors.forEach(each -> checkCode(command, reply, ((Value.Doc) each.value()).document()));
        }
        if (Value.of(1.0).equals(reply.get("ok"))) {
            return;
        }
        assertThat(reply.get("ok")).as("%s: %s", command, reply).isEqualTo(Value.of(0.0));
        assertThat(reply.get("errmsg")).as("%s: %s", command, reply).isInstanceOf(Value.Str.class);
        assertThat(reply.get("codeName")).as("%s: %s", command, reply).isInstanceOf(Value.Str.class);
        checkCode(command, reply, reply);
    }

    private static void checkCode(RawDocument command, RawDocument reply, RawDocument error) {
        assertThat(error.get("code"))
                .as("%s: %s", command, reply)
                .isInstanceOf(Value.Int32.class)
                .isNotEqualTo(Value.of(1))
                .isNotEqualTo(Value.of(8));
    }
}
