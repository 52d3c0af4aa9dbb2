package dev.semel.server.plan;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.Filters;
import dev.semel.store.Table;
import dev.semel.wire.bson.RawDocument;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The documents to which all of several scans lead, each of entries with the same values, so that they come in the order of the
 * documents' keys. The scan that is behind passes over the entries of documents that another one has not.
 */
final class IntersectionRun extends PositionedRun {
    private final List<Input> inputs;
    private final Filter filter;
    private final boolean keysOnly;
    private final boolean takesAll;
    private long fetched;

    IntersectionRun(Plan.Intersection plan, Reading reading) {
        super(reading);
        this.inputs =
                plan.scans().stream().map(each -> new Input(each, reading)).toList();
        this.filter = plan.filter();
        this.keysOnly = plan.keysOnly();
        this.takesAll = filter.equals(Filters.ALL);
    }

    /** One of the scans. */
    static final class Input {
        private final Plan.IndexScan scan;
        private final KeyScan keys;

        /** To which its entry leads; null if it has to move on first. */
        private byte @Nullable [] document;

        private long entries;

        private Input(Plan.IndexScan scan, Reading reading) {
            this.scan = scan;
            this.keys = new KeyScan(scan.index(), scan.range(), false, reading);
        }

        private byte @Nullable [] document() {
            if (document == null && keys.next()) {
                entries++;
                document = scan.index().documentKey(keys.key());
            }
            return document;
        }

        private void passTo(byte[] other) {
            document = null;
            if (keys.canSeek()) {
                keys.seek(scan.index().withSameValues(keys.key(), other));
            }
        }

        long entries() {
            return entries;
        }

        long keysExamined() {
            return keys.examined();
        }
    }

    @Override
    boolean move() {
        while (true) {
            byte[] found = common();
            if (found == null) {
                return false;
            }
            inputs.forEach(each -> each.document = null);
            if (keysOnly) {
                standOn(found, null);
                return true;
            }
            RawDocument candidate = fetch(found);
            if (takesAll || filter.matches(candidate)) {
                standOn(found, candidate);
                return true;
            }
        }
    }

    /** The next document that all scans lead to; null at the end of any, or if the run was suspended. */
    private byte @Nullable [] common() {
        byte[] furthest = null;
        boolean isCommon = false;
        while (!isCommon) {
            isCommon = true;
            for (Input each : inputs) {
                byte[] document = each.document();
                if (document == null) {
                    return null;
                }
                if (furthest == null) {
                    furthest = document;
                    continue;
                }
                int order = Arrays.compareUnsigned(document, furthest);
                isCommon &= order == 0;
                if (order > 0) {
                    furthest = document;
                } else if (order < 0) {
                    each.passTo(furthest);
                }
            }
        }
        return furthest;
    }

    private RawDocument fetch(byte[] found) {
        reading().fetched(found);
        fetched++;
        byte[] bytes = reading().snapshot().get(Table.DOCUMENTS, found);
        if (bytes == null) {
            throw new IllegalStateException("entries of several indexes lead to no document");
        }
        return RawDocument.of(bytes);
    }

    List<Input> inputs() {
        return inputs;
    }

    @Override
    public long keysExamined() {
        return inputs.stream().mapToLong(Input::keysExamined).sum();
    }

    @Override
    public long documentsExamined() {
        return fetched;
    }

    @Override
    void addExtents(List<Extent> extents) {
        for (Input each : inputs) {
            extents.add(new Extent(each.scan.index().table(), each.keys.looked(atEnd())));
            Extents.addArrays(each.scan.bounds(), extents);
        }
    }

    @Override
    public void pause() {
        inputs.forEach(each -> each.keys.close());
    }
}
