package dev.semel.blackpipe.message;

import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Selects requests, for example {@code command("insert").on("shop.orders")}; criteria that are not given match everything.
 *
 * @param commands none for every command except handshakes and heartbeats
 * @param namespace a collection, or {@code shop.*} for a whole database
 * @param connection 0 for every connection
 */
public record Match(
        Set<String> commands,
        @Nullable String namespace,
        @Nullable String application,
        int connection,
        List<FieldTest> fields)
        implements Predicate<Request> {
    private static final Match ANY = new Match(Set.of(), null, null, 0, List.of());

    public Match {
        commands = new LinkedHashSet<>(commands);
        fields = List.copyOf(fields);
    }

    /** Every request except handshakes and heartbeats. */
    public static Match any() {
        return ANY;
    }

    public static Match command(String... names) {
        return new Match(new LinkedHashSet<>(List.of(names)), null, null, 0, List.of());
    }

    public Match on(String chosen) {
        return new Match(commands, chosen, application, connection, fields);
    }

    /** Requests of clients with this application name. */
    public Match from(String chosen) {
        return new Match(commands, namespace, chosen, connection, fields);
    }

    public Match onConnection(int chosen) {
        return new Match(commands, namespace, application, chosen, fields);
    }

    public Match with(String path, Value value) {
        return with(new FieldTest.Equal(path, value));
    }

    public Match with(String path) {
        return with(new FieldTest.Exists(path, true));
    }

    public Match without(String path) {
        return with(new FieldTest.Exists(path, false));
    }

    public Match with(FieldTest test) {
        List<FieldTest> more = new ArrayList<>(fields);
        more.add(test);
        return new Match(commands, namespace, application, connection, more);
    }

    /** Whether a request of this name may match; checked before the rest of it is decoded. */
    public boolean mayBe(String command) {
        return commands.isEmpty()
                ? !command.equalsIgnoreCase("isMaster") && !command.equals("hello")
                : commands.contains(command);
    }

    @Override
    public boolean test(Request request) {
        return mayBe(request.name())
                && (namespace == null || covers(namespace, request.namespace()))
                && (application == null || application.equals(request.application()))
                && (connection == 0 || connection == request.connection())
                && fields.stream().allMatch(each -> each.holds(request.get(each.path())));
    }

    private static boolean covers(String pattern, String namespace) {
        return pattern.endsWith(".*")
                ? namespace.startsWith(pattern.substring(0, pattern.length() - 1))
                : pattern.equals(namespace);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(commands.isEmpty() ? "any command" : String.join(" or ", commands));
        if (namespace != null) {
            text.append(" on ").append(namespace);
        }
        if (connection != 0) {
            text.append(", connection ").append(connection);
        }
        if (application != null) {
            text.append(" of ").append(application);
        }
        if (!fields.isEmpty()) {
            text.append(fields.stream().map(FieldTest::toString).collect(Collectors.joining(" and ", " with ", "")));
        }
        return text.toString();
    }
}
