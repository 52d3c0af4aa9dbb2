package dev.semel.cli.transfer;

import de.siegmar.fastcsv.writer.CsvWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row per document with the chosen fields; what is no single value is written as JSON. */
public final class CsvOutput implements Output {
    private final CsvWriter writer;
    private final List<String> fields;

    public CsvOutput(Writer out, List<String> fields, boolean header) {
        this.writer = CsvWriter.builder().build(out);
        this.fields = fields;
        if (header) {
            writer.writeRecord(fields);
        }
    }

    @Override
    public void write(RawDocument document) {
        var row = new ArrayList<String>(fields.size());
        for (var field : fields) {
            row.add(text(at(document, field)));
        }
        writer.writeRecord(row);
    }

    private static @Nullable Value at(RawDocument document, String path) {
        var whole = document.get(path);
        int dot = path.indexOf('.');
        if (whole != null || dot < 0) {
            return whole;
        }
        return switch (document.get(path.substring(0, dot))) {
            case Value.Doc(RawDocument nested) -> at(nested, path.substring(dot + 1));
            case Value.Array(RawDocument elements) -> at(elements, path.substring(dot + 1));
            case null, default -> null;
        };
    }

    private static String text(@Nullable Value value) {
        return switch (value) {
            case null -> "";
            case Value.Constant.NULL, Value.Constant.UNDEFINED -> "";
            case Value.Str(var text) -> text.toString();
            case Value.Int32(int number) -> Integer.toString(number);
            case Value.Int64(long number) -> Long.toString(number);
            case Value.Double64(double number) -> Double.toString(number);
            case Value.Decimal(var number) -> number.toString();
            case Value.Bool(boolean bool) -> Boolean.toString(bool);
            case Value.Oid(var id) -> id.toString();
            case Value.Date(long millis) -> Instant.ofEpochMilli(millis).toString();
            default -> Json.relaxed(value);
        };
    }

    @Override
    public void close() throws IOException {
        writer.close();
    }
}
