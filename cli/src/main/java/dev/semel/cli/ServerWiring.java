package dev.semel.cli;

import dev.semel.server.ServerOptions;
import dev.semel.server.settings.Setting;
import dev.semel.server.settings.Settings;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Translates start options to the server's options; problems of the latter are reported as problems of the former. */
final class ServerWiring {
    private static final List<String> EVERY_ADDRESS = List.of("0.0.0.0", "::");

    /** What is shown instead of a password. */
    static final String CONCEALED = "<password>";

    private ServerWiring() {}

    static ServerOptions options(StartOptions asked, List<String> commandLine) {
        var options = asked.isMemory()
                ? ServerOptions.memory()
                : ServerOptions.directory(Path.of(asked.text(StartOption.DB_PATH)));
        options = options.listening(
                        asked.is(StartOption.BIND_IP_ALL) ? EVERY_ADDRESS : asked.list(StartOption.BIND_IP),
                        asked.integer(StartOption.PORT))
                .compressors(compressors(asked))
                .parameters(parameters(asked))
                .slowOperationMs(asked.integer(StartOption.SLOW_MS))
                .startedWith(commandLine, understood(asked));
        options = asked.is(StartOption.STANDALONE)
                ? options.standalone()
                : options.replicaSet(asked.text(StartOption.REPLICA_SET));
        options = asked.hasAccessControl() ? options.accessControl() : options;
        var tls = TlsOptions.read(asked);
        options = tls == null ? options : options.tls(tls);
        var advertised = asked.text(StartOption.ADVERTISE);
        return advertised.isEmpty() ? options : options.advertise(advertised);
    }

    private static List<Compressor> compressors(StartOptions asked) {
        var names = asked.list(StartOption.COMPRESSORS);
        if (names.equals(List.of("disabled"))) {
            return List.of();
        }
        var chosen = new ArrayList<Compressor>();
        for (var name : names) {
            Compressor.named(name)
                    .ifPresentOrElse(chosen::add, () -> asked.problem("there is no compressor '" + name + "'"));
        }
        return chosen;
    }

    /** Options that are parameters with another name, and what was given as parameters; both checked before the start. */
    private static Map<String, String> parameters(StartOptions asked) {
        var parameters = new TreeMap<String, String>();
        for (var option : StartOption.values()) {
            if (!option.parameter().isEmpty()) {
                asked.given(option).ifPresent(value -> parameters.put(option.parameter(), value));
            }
        }
        if (asked.is(StartOption.NO_SCRIPTING)) {
            parameters.put(StartOption.JAVASCRIPT.parameter(), "false");
        }
        if (!asked.isMemory()) {
            // Data that is kept is worth more than a test's convenience.
            parameters.put("enableTestCommands", "false");
        }
        parameters.putAll(asked.parameters());
        // A table like the server's own, which is made later: what it refuses is a bad option here.
        var known = new Settings(Integer.MAX_VALUE, asked.isMemory());
        parameters.forEach((name, value) -> check(asked, known, name, value));
        return parameters;
    }

    private static void check(StartOptions asked, Settings known, String name, String value) {
        var setting = known.find(name);
        if (setting == null) {
            var names = known.all().stream()
                    .filter(Setting::isSettableAtStart)
                    .map(Setting::name)
                    .toList();
            asked.problem("there is no parameter '" + name + "'" + Nearest.hint(name, names));
            return;
        }
        try {
            setting.set(Value.of(value), Setting.When.AT_START);
        } catch (CommandException e) {
            asked.problem(String.valueOf(e.getMessage()));
        }
    }

    /** The options as {@code getCmdLineOpts} shows them: sections within sections. */
    private static RawDocument understood(StartOptions asked) {
        var sections = new BsonWriter();
        for (var section : StartOption.sections()) {
            var inner = new BsonWriter();
            for (var option : StartOption.values()) {
                if (option.key().startsWith(section + ".")) {
                    asked.given(option).ifPresent(value -> write(inner, option, value, section));
                }
            }
            var written = inner.finish();
            if (!written.isEmpty()) {
                sections.put(section, written);
            }
        }
        if (!asked.parameters().isEmpty()) {
            sections.startDocument("setParameter");
            asked.parameters().forEach(sections::put);
            sections.end();
        }
        return sections.finish();
    }

    private static void write(BsonWriter to, StartOption option, String value, String section) {
        var name = option.key().substring(section.length() + 1);
        switch (option.kind()) {
            case NUMBER -> to.put(name, Integer.parseInt(value));
            case FLAG -> to.put(name, value.toLowerCase(Locale.ROOT).equals("true"));
            case TEXT, ENGINE, SWITCH, TLS_MODE, LOG_FORMAT, CLUSTER_AUTH_MODE, ONLY_DEFAULT ->
                to.put(name, option.isSecret() ? CONCEALED : value);
        }
    }
}
