package dev.semel.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options as options of {@code serve}: declared from the table of options, and read back from a command line. */
final class ServeCommandLine {
    private static final String CONFIG = "--config";
    private static final String PARAMETER = "--setParameter";

    private ServeCommandLine() {}

    static void declare(CommandSpec spec) {
        spec.addOption(OptionSpec.builder("-f", CONFIG)
                .paramLabel("FILE")
                .type(Path.class)
                .description("Configuration file with mongod's YAML names. The command line wins over it.")
                .build());
        for (var option : StartOption.values()) {
            if (option == StartOption.VERBOSITY) {
                spec.addOption(OptionSpec.builder("-v", option.argument())
                        .type(boolean[].class)
                        .arity("0")
                        .description("Log more; -vv and so on, up to five, still more.")
                        .build());
            } else if (!option.argument().isEmpty()) {
                spec.addOption(option(option));
            }
        }
        for (var ignored : IgnoredOption.all()) {
            ignored.arguments().forEach(each -> spec.addOption(hidden(each, ignored)));
        }
        spec.addOption(OptionSpec.builder(PARAMETER)
                .paramLabel("NAME=VALUE")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .description("Set a server parameter; repeat for more.")
                .build());
    }

    private static OptionSpec hidden(String argument, IgnoredOption option) {
        var builder = OptionSpec.builder(argument).hidden(true);
        return option.isFlag()
                ? builder.type(boolean.class).arity("0").build()
                : builder.type(String.class).arity("1").build();
    }

    private static OptionSpec option(StartOption option) {
        if (option.isFlag()) {
            return OptionSpec.builder(option.argument())
                    .type(boolean.class)
                    .arity("0")
                    .description(option.description())
                    .build();
        }
        var fallback = option.fallback().isEmpty() ? "" : " Default: " + option.fallback() + ".";
        return OptionSpec.builder(option.argument())
                .paramLabel(label(option))
                .type(String.class)
                .description(option.description() + fallback)
                .build();
    }

    private static String label(StartOption option) {
        return switch (option) {
            case DB_PATH -> "FOLDER";
            case READY_FILE,
                    LOG_PATH,
                    PID_FILE,
                    TLS_KEY_FILE,
                    TLS_CA_FILE,
                    TLS_CLUSTER_FILE,
                    TLS_CLUSTER_CA_FILE,
                    KEY_FILE -> "FILE";
            case TLS_KEY_PASSWORD, TLS_CLUSTER_PASSWORD -> "PASSWORD";
            case CLUSTER_AUTH_MODE -> "keyFile|x509";
            case TLS_MODE -> "disabled|allowTLS|preferTLS|requireTLS";
            case BIND_IP -> "ADDRESSES";
            case ADVERTISE -> "HOST[:PORT]";
            case REPLICA_SET -> "NAME";
            case ENGINE -> "rocksdb|memory";
            case COMPRESSORS -> "NAMES";
            case LOG_FORMAT -> "json|text";
            default -> option.kind() == StartOption.Kind.NUMBER ? "NUMBER" : option.fallback();
        };
    }

    /** What the file, the environment and the command line say together. */
    static StartOptions read(ParseResult parsed, Map<String, String> environment) {
        var options = new StartOptions();
        @Nullable Path config = parsed.matchedOptionValue(CONFIG, null);
        if (config != null) {
            new ConfigFile(config).setIn(options);
        }
        EnvironmentVariables.setIn(options, environment);
        for (var option : StartOption.values()) {
            if (option == StartOption.VERBOSITY) {
                boolean[] times = parsed.matchedOptionValue(option.argument(), new boolean[0]);
                if (times.length > 0) {
                    options.set(option, Integer.toString(times.length), option.argument());
                }
            } else if (!option.argument().isEmpty() && parsed.hasMatchedOption(option.argument())) {
                options.set(option, value(parsed, option.argument()), option.argument());
            }
        }
        for (var ignored : IgnoredOption.all()) {
            ignored.arguments().stream()
                    .filter(parsed::hasMatchedOption)
                    .forEach(each -> options.ignore(ignored, value(parsed, each), each));
        }
        for (String assignment : parsed.matchedOptionValue(PARAMETER, List.<String>of())) {
            options.setParameter(assignment);
        }
        options.check();
        return options;
    }

    private static String value(ParseResult parsed, String argument) {
        return parsed.matchedOption(argument).getValue().toString();
    }
}
