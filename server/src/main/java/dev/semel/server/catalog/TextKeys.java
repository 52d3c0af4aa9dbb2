package dev.semel.server.catalog;

import dev.semel.query.text.TermScores;
import dev.semel.query.text.TextSpec;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.IndexKeys;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A key for each term of a document, with its score behind it. The other fields of the index have one value in a document.
 * Documents without terms have no keys.
 */
record TextKeys(List<KeyColumn> columns, TextSpec text) implements KeyGenerator {

    static TextKeys of(IndexSpec spec) {
        return new TextKeys(spec.key().columns(), spec.text());
    }

    /** The column with the scores of the terms in the column before it. */
    static int scoreColumn(List<KeyColumn> columns) {
        int term = 0;
        while (columns.get(term).kind() != IndexKind.TEXT) {
            term++;
        }
        return term + 1;
    }

    @Override
    public List<DottedPath> reads(List<DottedPath> columnPaths) {
        if (text.isWildcard()) {
            return List.of();
        }
        List<DottedPath> reads = new ArrayList<>();
        for (KeyColumn each : columns) {
            if (each.kind() != IndexKind.TEXT) {
                reads.add(each.path());
            }
        }
        text.weights().keySet().forEach(each -> reads.add(DottedPath.of(each)));
        reads.add(DottedPath.of(text.languageOverride()));
        return List.copyOf(reads);
    }

    @Override
    public IndexKeys.Extraction extract(RawDocument document) {
        long[] arrays = new long[columns.size()];
        Map<String, Double> scores = TermScores.of(document, text);
        if (scores.isEmpty()) {
            return new IndexKeys.Extraction(List.of(), arrays, true);
        }
        @Nullable Value[] others = new @Nullable Value[columns.size()];
        for (int i = 0; i < others.length; i++) {
            KeyColumn column = columns.get(i);
            others[i] = column.kind() == IndexKind.TEXT ? null : find(column.path(), document);
        }
        int score = scoreColumn(columns);
        List<@Nullable Value[]> keys = new ArrayList<>(scores.size());
        scores.forEach((term, its) -> {
            @Nullable Value[] key = others.clone();
            key[score - 1] = Value.of(term);
            key[score] = Value.of(its);
            keys.add(key);
        });
        return new IndexKeys.Extraction(keys, arrays, false);
    }

    private static @Nullable Value find(DottedPath path, RawDocument document) {
        RawDocument inside = document;
        for (int part = 0; ; part++) {
            Value value = inside.get(path.partUtf8(part));
            if (value instanceof Value.Array) {
                throw new CommandException(
                        ErrorCode.CannotBuildIndexKeys,
                        "Field '%s' of text index contains an array in document: %s",
                        path,
                        Shell.text(document));
            }
            if (part + 1 == path.size()) {
                return value;
            }
            if (!(value instanceof Value.Doc(RawDocument inner))) {
                return null;
            }
            inside = inner;
        }
    }
}
