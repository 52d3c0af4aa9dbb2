package dev.semel.cli.transfer;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import java.io.IOException;
import java.io.Reader;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of a CSV or TSV file as documents. */
public final class CsvItems implements Items {
    private final CsvReader<CsvRecord> reader;
    private final Iterator<CsvRecord> records;
    private final Columns columns;

    private CsvItems(CsvReader<CsvRecord> reader, Iterator<CsvRecord> records, Columns columns) {
        this.reader = reader;
        this.records = records;
        this.columns = columns;
    }

    /**
     * Begins to read.
     *
     * @param names the columns' names; null if the first row has them
     * @throws IllegalArgumentException when the names make no document
     */
    public static CsvItems open(
            Reader in, char separator, @Nullable List<String> names, Function<List<String>, Columns> columns) {
        var reader = CsvReader.builder()
                .fieldSeparator(separator)
                .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
                .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
                .ofCsvRecord(in);
        var records = reader.iterator();
        if (names != null) {
            return new CsvItems(reader, records, columns.apply(names));
        }
        if (!records.hasNext()) {
            throw new IllegalArgumentException("the file has no header line");
        }
        return new CsvItems(reader, records, columns.apply(records.next().getFields()));
    }

    @Override
    public @Nullable Item next() throws BadItem {
        CsvRecord row;
        try {
            if (!records.hasNext()) {
                return null;
            }
            row = records.next();
        } catch (CsvParseException e) {
            throw new BadItem(0, String.valueOf(e.getMessage()), true);
        }
        return new Item(row.getStartingLineNumber(), columns.document(row.getStartingLineNumber(), row.getFields()));
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
