package dev.semel.server;

import dev.semel.golden.corner.Corners;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.json.JsonParseException;
import org.jspecify.annotations.Nullable;

/** The commands of all scripts, in the order of the scripts, and the names and values in them, from which others are made. */
final class CommandSeeds {
    private static final Path SCRIPTS = Path.of("src", "test", "resources", "scripts");
    private static final String INPUT = "> ";

    /** Deeper values come with those that they are in. */
    private static final int DEPTH_MAX = 8;

    private final List<List<RawDocument>> scripts = new ArrayList<>();
    private final List<RawDocument> commands;
    private final List<String> names = new ArrayList<>();
    private final List<Value> values = new ArrayList<>();
    private final List<Value> corners =
            Corners.VALUES.stream().map(CommandSeeds::value).toList();

    /** @param commandNames of commands that no script may have */
    CommandSeeds(List<String> commandNames) {
        for (String each : commandNames) {
            scripts.add(List.of(
                    bytes(new BsonDocument(each, new BsonInt32(1)), "test"),
                    bytes(new BsonDocument(each, new BsonString("c")), "test")));
        }
        try (var files = Files.walk(SCRIPTS)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                scripts.add(script(Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        commands = scripts.stream().flatMap(List::stream).toList();
        Set<String> allNames = new LinkedHashSet<>();
        Set<Value> allValues = new LinkedHashSet<>();
        commands.forEach(each -> collect(each, allNames, allValues, 0));
        names.addAll(allNames);
        values.addAll(allValues);
    }

    List<List<RawDocument>> scripts() {
        return scripts;
    }

    List<RawDocument> commands() {
        return commands;
    }

    /** At which code goes wrong that expects others. */
    List<Value> corners() {
        return corners;
    }

    List<String> names() {
        return names;
    }

    List<Value> values() {
        return values;
    }

    private static List<RawDocument> script(String text) {
        List<RawDocument> commands = new ArrayList<>();
        StringBuilder input = new StringBuilder();
        for (String line : (text + "\n").split("\n", -1)) {
            if (line.startsWith(INPUT)) {
                input.append(line.substring(INPUT.length())).append('\n');
            } else if (!input.isEmpty()) {
                RawDocument command = command(input.toString());
                if (command != null) {
                    commands.add(command);
                }
                input.setLength(0);
            }
        }
        return commands;
    }

    /** Null for what is no command: a login, a connection that ends. Placeholders do not matter here. */
    private static @Nullable RawDocument command(String input) {
        int brace = input.indexOf('{');
        if (brace < 0) {
            return null;
        }
        String before = input.substring(0, brace).strip();
        String database = before.substring(before.lastIndexOf(' ') + 1);
        BsonDocument command;
        try {
            command = BsonDocument.parse(input.substring(brace));
        } catch (JsonParseException e) {
            return null;
        }
        boolean isNamed = !database.isEmpty() && !database.startsWith("@");
        return bytes(command, isNamed ? database : "test");
    }

    private static Value value(BsonValue value) {
        return Objects.requireNonNull(bytes(new BsonDocument("v", value)).get("v"));
    }

    private static RawDocument bytes(BsonDocument command, String database) {
        command.put("$db", new BsonString(database));
        return bytes(command);
    }

    static RawDocument bytes(BsonDocument command) {
        var bytes = new RawBsonDocument(command, new BsonDocumentCodec())
                .getByteBuffer()
                .asNIO();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return RawDocument.of(copy);
    }

    private static void collect(RawDocument document, Set<String> names, Set<Value> values, int depth) {
        for (Element each : document) {
            names.add(each.name());
            if (each.value() instanceof Value.Doc(RawDocument inner)) {
                collectInner(each.value(), inner, names, values, depth);
            } else if (each.value() instanceof Value.Array(RawDocument inner)) {
                collectInner(each.value(), inner, names, values, depth);
            } else {
                values.add(each.value());
            }
        }
    }

    private static void collectInner(Value value, RawDocument inner, Set<String> names, Set<Value> values, int depth) {
        values.add(value);
        if (depth < DEPTH_MAX) {
            collect(inner, names, values, depth + 1);
        }
    }
}
