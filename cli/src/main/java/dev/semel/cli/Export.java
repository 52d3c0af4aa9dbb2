package dev.semel.cli;

import dev.semel.cli.transfer.CsvOutput;
import dev.semel.cli.transfer.Exporter;
import dev.semel.cli.transfer.JsonOutput;
import dev.semel.cli.transfer.Output;
import dev.semel.cli.transfer.Progress;
import dev.semel.wire.FileFailure;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.JsonException;
import dev.semel.wire.bson.JsonStyle;
import dev.semel.wire.bson.RawDocument;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code semel export}: a collection, or the results of a query on it, into a file. */
final class Export {
    static final String NAME = "export";

    private final PrintWriter out;
    private final PrintWriter err;

    Export(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    static CommandSpec spec() {
        var spec = CommandSpec.create().name(NAME);
        spec.usageMessage()
                .description("Exports a collection, or the results of a query on it, as Extended JSON or CSV.");
        Connection.declare(spec);
        spec.addOption(Import.text("--out", "FILE", "File to write. Default: standard output."));
        spec.addOption(Import.text("--type", "json|csv", "Format of the file. Default: json."));
        spec.addOption(Import.flag("--jsonArray", "One array instead of a document per line."));
        spec.addOption(Import.text(
                "--jsonFormat",
                "relaxed|canonical",
                "Canonical keeps every type exactly; relaxed is easier to read. Default: relaxed."));
        spec.addOption(Import.text("--query", "JSON", "Filter, in Extended JSON."));
        spec.addOption(Import.text(
                "--fields",
                "NAMES",
                "Fields to write, separated by commas. Required for CSV; JSON always includes _id."));
        spec.addOption(Import.flag("--noHeaderLine", "CSV: no header line."));
        spec.addOption(Import.text("--sort", "JSON", "Sort order, in Extended JSON."));
        spec.addOption(Import.number("--skip", "Number of documents to skip."));
        spec.addOption(Import.number("--limit", "Largest number of documents to write."));
        spec.addOption(Import.flag("--quiet", "No progress bar and no summary."));
        return spec;
    }

    ExitCode run(ParseResult parsed) {
        @Nullable String file = parsed.matchedOptionValue("--out", null);
        boolean quiet = parsed.hasMatchedOption("--quiet");
        boolean csv = isCsv(parsed);
        var query = query(parsed);
        try (var connection = Connection.open(parsed);
                var progress = quiet || file == null || !Terminal.isWatched()
                        ? Progress.silent(System::nanoTime)
                        : Progress.shown("exporting", -1, System::nanoTime)) {
            long count;
            try (var output = output(parsed, csv, query.fields(), writer(file))) {
                count = connection.use(collection -> new Exporter(collection).run(query, output, progress));
            }
            progress.finish();
            if (!quiet) {
                err.printf(Locale.ROOT, "exported %,d documents from %s%n", count, connection.namespace());
            }
            return ExitCode.CLEAN;
        } catch (IOException e) {
            err.println("semel export: " + e.getMessage());
            return ExitCode.FAILED;
        }
    }

    private static boolean isCsv(ParseResult parsed) {
        String type = parsed.matchedOptionValue("--type", "json");
        if (!List.of("json", "csv").contains(type)) {
            throw new BadOption("--type must be json or csv, not '" + type + "'");
        }
        boolean csv = type.equals("csv");
        for (var option : csv ? List.of("--jsonArray", "--jsonFormat") : List.of("--noHeaderLine")) {
            if (parsed.hasMatchedOption(option)) {
                throw new BadOption(option + " does not go with --type " + type);
            }
        }
        return csv;
    }

    private static Exporter.Query query(ParseResult parsed) {
        return new Exporter.Query(
                document(parsed, "--query"),
                document(parsed, "--sort"),
                Import.names(parsed, "--fields"),
                parsed.matchedOptionValue("--skip", 0),
                parsed.matchedOptionValue("--limit", 0));
    }

    private static RawDocument document(ParseResult parsed, String option) {
        @Nullable String text = parsed.matchedOptionValue(option, null);
        try {
            return text == null ? RawDocument.EMPTY : Json.parse(text);
        } catch (JsonException e) {
            throw new BadOption(option + ": " + e.getMessage());
        }
    }

    private static Output output(ParseResult parsed, boolean csv, List<String> fields, Writer writer) {
        if (csv) {
            if (fields.isEmpty()) {
                throw new BadOption("--type csv needs --fields");
            }
            return new CsvOutput(writer, fields, !parsed.hasMatchedOption("--noHeaderLine"));
        }
        String format = parsed.matchedOptionValue("--jsonFormat", "relaxed");
        var style = switch (format) {
            case "relaxed" -> JsonStyle.RELAXED;
            case "canonical" -> JsonStyle.CANONICAL;
            default -> throw new BadOption("--jsonFormat must be relaxed or canonical, not '" + format + "'");
        };
        return new JsonOutput(writer, style, parsed.hasMatchedOption("--jsonArray"));
    }

    private Writer writer(@Nullable String file) throws IOException {
        if (file == null) {
            return new StandardOutput(out);
        }
        try {
            return Files.newBufferedWriter(Path.of(file));
        } catch (FileSystemException e) {
            throw new BadOption(OutputFile.cannotWrite("--out", Path.of(file), FileFailure.reason(e)));
        }
    }

    /** The end of the export is not the end of the process's output. */
    private static final class StandardOutput extends FilterWriter {
        StandardOutput(PrintWriter out) {
            super(out);
        }

        @Override
        public void close() throws IOException {
            flush();
        }
    }
}
