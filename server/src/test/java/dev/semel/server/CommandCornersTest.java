package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.golden.corner.Place;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.Test;

/** Every corner in every place of the commands of all scripts is answered, after the commands that are before it in its script. */
class CommandCornersTest {
    /** One of so many places is tried, others in each run; 1 for all, which takes four minutes. */
    private static final int SHARE = Integer.getInteger("share", 60);

    private static final int MAX_TIME_MS = 300;

    /** A program without an end is to have one soon, where a corner has taken its time limit. */
    private static final Map<String, String> PARAMETERS = Map.of("javascriptInstructionsMax", "1000000");

    private static final int FAILURES_SHOWN = 30;

    private final List<String> failures = new ArrayList<>();

    /** What several commands have in the same place is changed in the first of them. */
    private final Set<String> seen = new HashSet<>();

    @Test
    void areAnswered() {
        Seeds.check(1, this::check);
        assertThat(failures.stream().limit(FAILURES_SHOWN)).isEmpty();
    }

    private static Server start() throws IOException {
        return Server.start(ServerOptions.memory().inProcess().parameters(PARAMETERS));
    }

    private void check(Random random) throws IOException {
        CommandSeeds seeds;
        try (Server server = start()) {
            seeds = new CommandSeeds(server.commands().entries().stream()
                    .map(each -> each.spec().name())
                    .toList());
        }
        for (List<RawDocument> script : seeds.scripts()) {
            List<RawDocument> commands = script.stream()
                    .filter(each -> !CheckedCommand.isLeftOut(each))
                    .toList();
            try (Server server = start()) {
                for (int i = 0; i < commands.size(); i++) {
                    BsonDocument command = new RawBsonDocument(commands.get(i).toBytes());
                    for (Place place : Place.all(command)) {
                        if (seen.add(command.getFirstKey() + place.path()) && random.nextInt(SHARE) == 0) {
                            check(server, commands.subList(0, i), place.changes(command));
                        }
                    }
                }
            }
        }
    }

    private void check(Server server, List<RawDocument> before, Stream<BsonDocument> changed) {
        try (LocalConnection connection = server.connect()) {
            databases(before)
                    .forEach(each -> connection.run(new BsonWriter()
                            .put("dropDatabase", 1)
                            .put("$db", each)
                            .finish()));
            before.forEach(each -> check(connection, each));
            changed.map(CommandSeeds::bytes)
                    .filter(each -> !CheckedCommand.isLeftOut(each))
                    .forEach(each -> check(connection, each));
        }
    }

    private static Set<String> databases(List<RawDocument> commands) {
        return commands.stream()
                .map(each -> each.get("$db") instanceof Value.Str(Text name) ? name.toString() : "test")
                .collect(Collectors.toSet());
    }

    private void check(LocalConnection connection, RawDocument command) {
        try {
            CheckedCommand.run(connection, command, MAX_TIME_MS);
        } catch (AssertionError | RuntimeException e) {
            failures.add(command + ": " + e);
        }
    }
}
