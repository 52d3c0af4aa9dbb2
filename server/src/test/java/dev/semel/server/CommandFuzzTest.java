package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Whatever a client sends as a command is answered, with a code if it is refused, and never with a defect of the server. */
final class CommandFuzzTest {
    /** So long that no input comes near it unless it is refused for that. */
    private static final int MAX_TIME_MS = 2_000;

    /** What commands leave behind must not last for ever. */
    private static final int COMMANDS_PER_SERVER = 2_000;

    private static final RawDocument PING =
            new BsonWriter().put("ping", 1).put("$db", "admin").finish();

    /** How many commands of the same script may run before one that is changed. */
    private static final int BEFORE_MAX = 5;

    private static final int CHANGES_MAX = 4;

    private static Server server;
    private static CommandSeeds seeds;
    private static int commands;

    @BeforeAll
    static void prepareSeeds() throws IOException {
        Server first = start();
        server = first;
        seeds = new CommandSeeds(first.commands().entries().stream()
                .map(each -> each.spec().name())
                .toList());
    }

    private static Server start() throws IOException {
        return Server.start(ServerOptions.memory().inProcess());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @FuzzTest
    void anyBytesAreAnswered(byte[] bytes) throws IOException {
        RawDocument command;
        try {
            command = BsonValidation.check(bytes, 0, bytes.length);
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
            return;
        }
        run(command);
    }

    /** The same, where the fuzzer finds the words more easily. */
    @FuzzTest
    void anyTextIsAnswered(byte[] bytes) throws IOException {
        RawDocument command;
        try {
            command = Json.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (JsonException e) {
            assertThat(e.line()).isPositive();
            return;
        }
        run(command);
    }

    /** A command of the scripts, changed in a few places, after some of those that are before it. */
    @FuzzTest
    void changedCommandsAreAnswered(byte[] bytes) throws IOException {
        IntUnaryOperator choice = choice(bytes);
        List<RawDocument> all = seeds.commands();
        int at = choice.applyAsInt(all.size());
        List<RawDocument> before = all.subList(Math.max(0, at - choice.applyAsInt(BEFORE_MAX)), at);
        CommandChanges changes = new CommandChanges(seeds, choice);
        RawDocument command = all.get(at);
        for (int i = choice.applyAsInt(CHANGES_MAX); i >= 0; i--) {
            command = changes.change(command);
        }
        try (LocalConnection connection = server.connect()) {
            connection.run(Json.parse("{\"dropDatabase\": 1, \"$db\": \"test\"}"));
            for (RawDocument each : before) {
                if (!CheckedCommand.isLeftOut(each)) {
                    CheckedCommand.run(connection, each, MAX_TIME_MS);
                }
            }
        }
        run(command);
    }

    /** Numbers below a limit, from two bytes each; when there are none left, from a generator for which they are the seed. */
    private static IntUnaryOperator choice(byte[] bytes) {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        Random others = new Random(Arrays.hashCode(bytes));
        return limit ->
                left.remaining() < Short.BYTES ? others.nextInt(limit) : Short.toUnsignedInt(left.getShort()) % limit;
    }

    private static void run(RawDocument command) throws IOException {
        if (CheckedCommand.isLeftOut(command)) {
            return;
        }
        if (++commands % COMMANDS_PER_SERVER == 0) {
            stop();
            server = start();
        }
        try (LocalConnection connection = server.connect()) {
            prepare(connection);
            CheckedCommand.run(connection, command, MAX_TIME_MS);
        }
        try (LocalConnection other = server.connect()) {
            assertThat(other.run(PING).get("ok")).isEqualTo(Value.of(1.0));
        }
    }

    /** The same data for every command. */
    private static void prepare(LocalConnection connection) {
        for (String each : new String[] {
            "{\"drop\": \"c\", \"$db\": \"d\"}",
            "{\"insert\": \"c\", \"documents\": [{\"_id\": 1, \"a\": [1, \"x\", {\"b\": 2.5}], \"b\": {\"c\": null}},"
                    + " {\"_id\": 2, \"a\": 1, \"t\": \"some words\", \"g\": [1, 2]}, {\"_id\": 3}], \"$db\": \"d\"}",
            "{\"createIndexes\": \"c\", \"indexes\": [{\"key\": {\"a\": 1}, \"name\": \"a\"},"
                    + " {\"key\": {\"t\": \"text\"}, \"name\": \"t\"}, {\"key\": {\"g\": \"2d\"}, \"name\": \"g\"}],"
                    + " \"$db\": \"d\"}"
        }) {
            connection.run(Json.parse(each));
        }
    }
}
