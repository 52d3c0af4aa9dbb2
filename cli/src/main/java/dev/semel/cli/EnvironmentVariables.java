package dev.semel.cli;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The variables that set options: all whose names begin with {@code SEMEL_}, so that a mistyped one is noticed. */
final class EnvironmentVariables {
    private static final String PREFIX = "SEMEL_";

    /** The launcher's. */
    private static final String JAVA_OPTIONS = "SEMEL_JAVA_OPTS";

    /** Variables like these describe a service of the name {@code semel} to every container of Kubernetes and Docker. */
    private static final Pattern SERVICE = Pattern.compile(
            "SEMEL_(.+_)?SERVICE_(HOST|PORT(_.+)?)|SEMEL_(.+_)?PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?");

    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    private EnvironmentVariables() {}

    static void setIn(StartOptions options, Map<String, String> environment) {
        new TreeMap<>(environment).forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                set(options, name, value);
            }
        });
    }

    private static void set(StartOptions options, String name, String value) {
        var source = "environment variable " + name;
        var option = StartOption.ofVariable(name);
        Optional<IgnoredOption> ignored = IgnoredOption.ofVariable(name);
        if (option.isPresent()) {
            options.set(option.get(), value, source);
        } else if (ignored.isPresent()) {
            options.ignore(ignored.get(), value, source);
        } else if (!isMeantForOthers(name, value)) {
            options.problem("unknown environment variable " + name + hint(name));
        }
    }

    private static boolean isMeantForOthers(String name, String value) {
        return name.equals(JAVA_OPTIONS)
                || SERVICE.matcher(name).matches()
                || (name.endsWith("_PORT") && SERVICE_ADDRESS.matcher(value).matches());
    }

    /** People forget the section: {@code SEMEL_DBPATH} is meant to be {@code SEMEL_STORAGE_DBPATH}. */
    private static String hint(String name) {
        var meant = new TreeMap<String, String>();
        for (var option : StartOption.values()) {
            var variable = option.variable();
            if (!variable.isEmpty()) {
                meant.put(variable.substring(PREFIX.length()), variable);
                meant.putIfAbsent(variable.substring(variable.lastIndexOf('_') + 1), variable);
            }
        }
        // All begin alike, which must not make any two of them similar.
        return Nearest.of(name.substring(PREFIX.length()), meant.keySet())
                .map(near -> "; did you mean " + meant.get(near) + "?")
                .orElse("");
    }
}
