package dev.semel.query.pipeline;

import dev.semel.query.value.NameIndex;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import java.util.Set;

/**
 * Some top-level fields of documents, in the order in which these have them: what is to be held of a document that nobody needs whole.
 * Of several fields with one name the first. For one thread.
 */
public final class FieldsOnly {
    private static final int LENGTH_BYTES = 4;

    private final NameIndex names;

    /** Where each field begins and ends that was found in the document looked at last. */
    private final int[] starts;

    private final int[] ends;

    /** By the place of a name: in which document, counted, it was found last. */
    private final long[] foundIn;

    private long documents;

    public FieldsOnly(Set<String> names) {
        this.names = NameIndex.of(names);
        this.starts = new int[names.size()];
        this.ends = new int[names.size()];
        this.foundIn = new long[names.size()];
    }

    /** In an array of exactly its length, because it is held. */
    public RawDocument of(RawDocument document) {
        int found = find(document);
        int length = LENGTH_BYTES + 1;
        for (int i = 0; i < found; i++) {
            length += ends[i] - starts[i];
        }
        byte[] kept = new byte[length];
        LittleEndian.putInt32(kept, 0, length);
        int at = LENGTH_BYTES;
        for (int i = 0; i < found; i++) {
            int size = ends[i] - starts[i];
            System.arraycopy(document.array(), starts[i], kept, at, size);
            at += size;
        }
        return RawDocument.of(kept);
    }

    /** How many there are. Looks no further when it has all. */
    private int find(RawDocument document) {
        documents++;
        int found = 0;
        ElementCursor at = document.cursor();
        while (found < starts.length && at.next()) {
            int place = names.placeOf(at);
            if (place >= 0 && foundIn[place] != documents) {
                foundIn[place] = documents;
                starts[found] = at.elementStart();
                ends[found] = at.valueEnd();
                found++;
            }
        }
        return found;
    }
}
