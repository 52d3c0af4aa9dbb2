package dev.semel.cli;

import dev.semel.cli.transfer.Columns;
import dev.semel.cli.transfer.CountingInput;
import dev.semel.cli.transfer.CsvItems;
import dev.semel.cli.transfer.Importer;
import dev.semel.cli.transfer.Items;
import dev.semel.cli.transfer.JsonItems;
import dev.semel.cli.transfer.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel import}: a file into a collection. */
final class Import {
    static final String NAME = "import";

    private static final int BATCH_SIZE = 1000;
    private static final int BATCH_SIZE_MAX = 100_000;

    private final PrintWriter err;

    Import(PrintWriter err) {
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Imports a file into a collection: a JSON array, documents one after the other (relaxed or"
                        + " canonical Extended JSON), CSV or TSV.");
        Connection.declare(spec);
        spec.addPositional(PositionalParamSpec.builder()
                .paramLabel("FILE")
                .type(String.class)
                .arity("0..1")
                .description("The file, or - for standard input.")
                .build());
        spec.addOption(text("--type", "json|csv|tsv", "Format of the file. Default: from its name, else json."));
        spec.addOption(text(
                "--root", "FIELD", "JSON: the file is one object, and the documents are the array in this field."));
        spec.addOption(flag("--headerline", "CSV: the first line has the names of the fields."));
        spec.addOption(text("--fields", "NAMES", "CSV: names of the fields, separated by commas. a.b is nested."));
        spec.addOption(flag(
                "--columnsHaveTypes",
                "CSV: each name ends with its type, as in born.date(). Types: auto string int32 int64 double decimal"
                        + " boolean date. Otherwise numbers are recognized."));
        spec.addOption(flag("--ignoreBlanks", "CSV: omit empty fields."));
        spec.addOption(flag("--upsert", "Replace existing documents, by _id or by --upsertFields."));
        spec.addOption(text("--upsertFields", "NAMES", "With --upsert: the fields that identify a document."));
        spec.addOption(flag("--drop", "Drop the collection first."));
        spec.addOption(flag("--stopOnError", "Stop at the first error instead of reporting it and continuing."));
        spec.addOption(OptionSpec.builder("--batchSize")
                .paramLabel("NUMBER")
                .type(int.class)
                .defaultValue(Integer.toString(BATCH_SIZE))
                .description("Documents to send at once. Default: ${DEFAULT-VALUE}.")
                .build());
        spec.addOption(flag("--quiet", "No progress bar and no summary."));
        return spec;
    }

    static OptionSpec text(String name, String label, String description) {
        return OptionSpec.builder(name)
                .paramLabel(label)
                .type(String.class)
                .description(description)
                .build();
    }

    static OptionSpec number(String name, String description) {
        return OptionSpec.builder(name)
                .paramLabel("NUMBER")
                .type(int.class)
                .description(description)
                .build();
    }

    static OptionSpec flag(String name, String description) {
        return OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(description)
                .build();
    }

    static List<String> names(ParseResult parsed, String option) {
        String names = parsed.matchedOptionValue(option, "");
        return names.isEmpty()
                ? List.of()
                : Arrays.stream(names.split(",", -1)).map(String::strip).toList();
    }

    ExitCode run(ParseResult parsed) {
        @Nullable String file = parsed.matchedPositionalValue(0, null);
        if (file == null) {
            throw new BadOption("which FILE? (- is standard input)");
        }
        var options = options(parsed);
        boolean quiet = parsed.hasMatchedOption("--quiet");
        try (var in = new CountingInput(file.equals("-") ? System.in : Files.newInputStream(Path.of(file)));
                var items = items(parsed, file, new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
                var connection = Connection.open(parsed);
                var progress = progress(file, quiet)) {
            var outcome = connection.use(collection -> {
                if (parsed.hasMatchedOption("--drop")) {
                    collection.drop();
                }
                return new Importer(collection, options, err, progress, in::count).run(items);
            });
            progress.finish();
            if (!quiet) {
                err.printf(
                        Locale.ROOT,
                        "imported %,d documents into %s in %.1f s (%,.0f/s), %,d failed%n",
                        outcome.imported(),
                        connection.namespace(),
                        outcome.seconds(),
                        outcome.perSecond(),
                        outcome.failed());
            }
            return outcome.failed() == 0 ? ExitCode.CLEAN : ExitCode.FAILED;
        } catch (NoSuchFileException e) {
            throw new BadOption("there is no file " + file);
        } catch (IOException e) {
            err.println("semel import: " + e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private static Importer.Options options(ParseResult parsed) {
        int batchSize = parsed.matchedOptionValue("--batchSize", BATCH_SIZE);
        if (batchSize < 1 || batchSize > BATCH_SIZE_MAX) {
            throw new BadOption("--batchSize must be from 1 to " + BATCH_SIZE_MAX + ", not " + batchSize);
        }
        var fields = names(parsed, "--upsertFields");
        boolean upsert = parsed.hasMatchedOption("--upsert");
        if (!fields.isEmpty() && !upsert) {
            throw new BadOption("--upsertFields is of use with --upsert only");
        }
        return new Importer.Options(
                upsert && fields.isEmpty() ? List.of("_id") : fields,
                parsed.hasMatchedOption("--stopOnError"),
                batchSize);
    }

    private static Items items(ParseResult parsed, String file, Reader in) {
        var type = type(parsed, file);
        @Nullable String root = parsed.matchedOptionValue("--root", null);
        if (type.equals("json")) {
            for (var option : List.of("--headerline", "--fields", "--columnsHaveTypes", "--ignoreBlanks")) {
                if (parsed.hasMatchedOption(option)) {
                    throw new BadOption(option + " is for CSV, and this is JSON; say --type csv if it is not");
                }
            }
            return new JsonItems(in, root);
        }
        if (root != null) {
            throw new BadOption("--root is for JSON, and this is " + type);
        }
        boolean headerLine = parsed.hasMatchedOption("--headerline");
        if (headerLine == parsed.hasMatchedOption("--fields")) {
            throw new BadOption("a " + type + " file needs either --headerline or --fields");
        }
        try {
            return CsvItems.open(
                    in,
                    type.equals("csv") ? ',' : '\t',
                    headerLine ? null : names(parsed, "--fields"),
                    names -> new Columns(
                            names,
                            parsed.hasMatchedOption("--columnsHaveTypes"),
                            parsed.hasMatchedOption("--ignoreBlanks")));
        } catch (IllegalArgumentException e) {
            throw new BadOption(String.valueOf(e.getMessage()));
        }
    }

    private static String type(ParseResult parsed, String file) {
        var name = file.toLowerCase(Locale.ROOT);
        var byName = name.endsWith(".csv") ? "csv" : name.endsWith(".tsv") ? "tsv" : "json";
        String type = parsed.matchedOptionValue("--type", byName);
        if (!List.of("json", "csv", "tsv").contains(type)) {
            throw new BadOption("--type must be json, csv or tsv, not '" + type + "'");
        }
        return type;
    }

    private static Progress progress(String file, boolean quiet) throws IOException {
        if (quiet || !Terminal.isWatched()) {
            return Progress.silent(System::nanoTime);
        }
        long bytes = file.equals("-") ? -1 : Files.size(Path.of(file));
        return Progress.shown("importing", bytes, System::nanoTime);
    }
}
