package dev.semel.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** A file that is written when the work is done: whether it can be is found before, so that no work is lost. */
final class OutputFile {
    private OutputFile() {}

    /** Raises {@link BadOption} if the file of one of these options cannot be written; nothing is written yet. */
    static void check(ParseResult parsed, String... options) {
        var problems = Stream.of(options)
                .flatMap(option -> {
                    @Nullable String file = parsed.matchedOptionValue(option, null);
                    return file == null ? Stream.empty() : problem(option, Path.of(file)).stream();
                })
                .toList();
        if (!problems.isEmpty()) {
            throw new BadOption(problems);
        }
    }

    /** What is wrong, with the option and the reason; empty if nothing is. */
    static Optional<String> problem(String option, Path file) {
        return objection(file).map(reason -> cannotWrite(option, file, reason));
    }

    static String cannotWrite(String option, Path file, String reason) {
        return option + ": cannot write " + file + ": " + reason;
    }

    private static Optional<String> objection(Path file) {
        if (Files.isDirectory(file)) {
            return Optional.of("it is a folder");
        }
        var folder = folder(file);
        if (!Files.exists(folder)) {
            return Optional.of("there is no folder " + folder);
        }
        if (!Files.isDirectory(folder)) {
            return Optional.of(folder + " is not a folder");
        }
        return Files.isWritable(Files.exists(file) ? file : folder)
                ? Optional.empty()
                : Optional.of("permission denied");
    }

    /** Of any file but the root, which is a folder itself. */
    static Path folder(Path file) {
        var parent = file.toAbsolutePath().normalize().getParent();
        return parent == null ? file : parent;
    }
}
