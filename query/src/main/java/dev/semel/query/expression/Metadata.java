package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.Map;
import java.util.Set;

/**
 * What is known of a document beside its fields: how well it matches a text, how far away it is. {@code $meta} reads it by these
 * names. A query that finds a document gives its metadata to the {@link Environment}, where it stays until the next document is
 * read; stages that hold documents back keep it with them.
 */
public final class Metadata {
    public static final String TEXT_SCORE = "textScore";
    public static final String GEO_NEAR_DISTANCE = "geoNearDistance";
    public static final String GEO_NEAR_POINT = "geoNearPoint";
    public static final String INDEX_KEY = "indexKey";
    public static final String RECORD_ID = "recordId";
    public static final String SORT_KEY = "sortKey";

    /** What a search by distance makes. */
    public static final Set<String> OF_SEARCHES = Set.of(GEO_NEAR_DISTANCE, GEO_NEAR_POINT);

    /** Where a document that is held back has its metadata, behind its fields. */
    public static final String FIELD = "$meta";

    private static final Set<String> NAMES = Set.of(
            TEXT_SCORE,
            GEO_NEAR_DISTANCE,
            GEO_NEAR_POINT,
            INDEX_KEY,
            RECORD_ID,
            SORT_KEY,
            "randVal",
            "searchHighlights",
            "searchScore",
            "searchScoreDetails",
            "searchSequenceToken",
            "timeseriesBucketMaxTime",
            "timeseriesBucketMinTime",
            "vectorSearchScore");

    /** Those that only a certain query makes, and what the error calls them. */
    private static final Map<String, String> MADE_BY_QUERIES = Map.of(
            TEXT_SCORE, "text score",
            GEO_NEAR_DISTANCE, "$geoNear distance",
            GEO_NEAR_POINT, "$geoNear point");

    private Metadata() {}

    /** The operand of {@code $meta}. */
    public static String name(Value operand) {
        if (!(operand instanceof Value.Str(Text text))) {
            throw new CommandException(ErrorCode.location(17307), "$meta only supports string arguments");
        }
        String name = text.toString();
        if (!NAMES.contains(name)) {
            throw new CommandException(ErrorCode.location(17308), "Unsupported argument to $meta: %s", name);
        }
        return name;
    }

    /** Refuses metadata that the query does not make. */
    public static void check(Set<String> wanted, Set<String> available) {
        for (String name : wanted) {
            String title = MADE_BY_QUERIES.get(name);
            if (title != null && !available.contains(name)) {
                throw new CommandException(
                        ErrorCode.location(40218), "query requires %s metadata, but it is not available", title);
            }
        }
    }

    /** A document with its metadata, to be held back. */
    public static RawDocument with(RawDocument document, RawDocument metadata) {
        BsonWriter writer = new BsonWriter(document.length() + metadata.length() + FIELD.length() + 2);
        writer.copyAll(document);
        return writer.put(FIELD, metadata).finish();
    }

    /** The metadata of a document that was held back. */
    public static RawDocument of(RawDocument held) {
        RawDocument metadata = RawDocument.EMPTY;
        for (ElementCursor at = held.cursor(); at.next(); ) {
            if (at.nameText().toString().equals(FIELD) && at.value() instanceof Value.Doc(RawDocument document)) {
                metadata = document;
            }
        }
        return metadata;
    }

    /** The document without the metadata that was put behind its fields. */
    public static RawDocument without(RawDocument held) {
        int fields = held.size() - 1;
        BsonWriter writer = new BsonWriter(held.length());
        ElementCursor at = held.cursor();
        for (int i = 0; i < fields && at.next(); i++) {
            writer.copy(at);
        }
        return writer.finish();
    }
}
