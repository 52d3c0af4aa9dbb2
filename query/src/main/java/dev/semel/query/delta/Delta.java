package dev.semel.query.delta;

import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Computes differences. What is equal costs a comparison of bytes; every update of a logged collection comes here. */
public final class Delta {
    /** By how much the difference of an array may be larger than the array, so that short arrays are described by element. */
    private static final int ARRAY_SLACK_BYTES = 32;

    private Delta() {}

    /** Empty if the documents have the same bytes. */
    public static RawDocument between(RawDocument before, RawDocument after) {
        return between(before, after, null);
    }

    /**
     * The same after operators.
     *
     * @param wholes what they wrote; null where everything is compared
     */
    public static RawDocument between(RawDocument before, RawDocument after, @Nullable WholePaths wholes) {
        return new DocumentParts(after, wholes).compare(before);
    }

    private static boolean isSame(ElementCursor a, ElementCursor b) {
        return a.type() == b.type()
                && Arrays.equals(a.array(), a.valueStart(), a.valueEnd(), b.array(), b.valueStart(), b.valueEnd());
    }

    /** The difference of two nested values; null if the new one is reported as a whole. */
    private static @Nullable RawDocument nested(
            ElementCursor before, ElementCursor after, @Nullable WholePaths wholes, String name) {
        if (before.type() != after.type() || !(after.type() == BsonType.DOCUMENT || after.type() == BsonType.ARRAY)) {
            return null;
        }
        WholePaths within = wholes == null ? null : wholes.below(name);
        if (within != null && within.isWhole()) {
            return null;
        }
        RawDocument difference = after.type() == BsonType.DOCUMENT
                ? between(view(before), view(after), within)
                : array(view(before), view(after), within);
        return difference == null || difference.isEmpty() ? null : difference;
    }

    /** The document or array at an element. */
    static RawDocument view(ElementCursor at) {
        return RawDocument.view(at.array(), at.valueStart());
    }

    /** Null if telling the whole array is shorter, which operators do not ask for, or if elements went from its middle. */
    private static @Nullable RawDocument array(RawDocument before, RawDocument after, @Nullable WholePaths wholes) {
        ElementCursor old = before.cursor();
        ElementCursor now = after.cursor();
        BsonWriter out = new BsonWriter(64).put("a", true);
        boolean isPrefix = true;
        int index = 0;
        while (now.next()) {
            boolean had = old.next();
            if (!had || !isSame(old, now)) {
                isPrefix &= !had;
                RawDocument inner = had ? nested(old, now, wholes, Integer.toString(index)) : null;
                if (inner != null) {
                    out.put("s" + index, inner);
                } else {
                    out.copy("u" + index, now);
                }
                if (wholes == null && out.length() > after.length() + ARRAY_SLACK_BYTES) {
                    return null;
                }
            }
            index++;
        }
        if (!old.next()) {
            return out.finish();
        }
        return isPrefix ? new BsonWriter(32).put("a", true).put("l", index).finish() : null;
    }

    /** The parts of one difference while it is computed; mostly there is only one of them. */
    private static final class DocumentParts {
        private final RawDocument after;
        private final @Nullable WholePaths wholes;
        private @Nullable BsonWriter removed;
        private @Nullable BsonWriter changed;
        private @Nullable BsonWriter added;
        private @Nullable BsonWriter inner;
        private @Nullable Set<Text> names;

        DocumentParts(RawDocument after, @Nullable WholePaths wholes) {
            this.after = after;
            this.wholes = wholes;
        }

        RawDocument compare(RawDocument before) {
            ElementCursor old = before.cursor();
            ElementCursor now = after.cursor();
            boolean hasOld = old.next();
            boolean hasNow = now.next();
            while (hasOld && hasNow) {
                if (isSameName(old, now)) {
                    change(old, now);
                    hasNow = now.next();
                } else {
                    remove(old);
                }
                hasOld = old.next();
            }
            for (; hasOld; hasOld = old.next()) {
                remove(old);
            }
            for (; hasNow; hasNow = now.next()) {
                added = writer(added).copy(now);
            }
            return finish();
        }

        private static boolean isSameName(ElementCursor a, ElementCursor b) {
            return Arrays.equals(
                    a.array(), a.elementStart() + 1, a.valueStart(), b.array(), b.elementStart() + 1, b.valueStart());
        }

        private void change(ElementCursor old, ElementCursor now) {
            if (isSame(old, now)) {
                return;
            }
            String name = now.name();
            RawDocument difference = nested(old, now, wholes, name);
            if (difference == null) {
                changed = writer(changed).copy(now);
            } else {
                inner = writer(inner).put("s" + name, difference);
            }
        }

        /** A field that only stands further behind now comes with those that are added. */
        private void remove(ElementCursor old) {
            if (!names().contains(old.nameText())) {
                removed = writer(removed).put(old.name(), false);
            }
        }

        private Set<Text> names() {
            Set<Text> known = names;
            if (known == null) {
                known = new HashSet<>();
                for (ElementCursor at = after.cursor(); at.next(); ) {
                    known.add(at.nameText());
                }
                names = known;
            }
            return known;
        }

        private static BsonWriter writer(@Nullable BsonWriter existing) {
            return existing == null ? new BsonWriter(64) : existing;
        }

        private RawDocument finish() {
            BsonWriter out = new BsonWriter(64);
            if (removed != null) {
                out.put("d", removed.finish());
            }
            if (changed != null) {
                out.put("u", changed.finish());
            }
            if (added != null) {
                out.put("i", added.finish());
            }
            if (inner != null) {
                out.copyAll(inner.finish());
            }
            return out.finish();
        }
    }

    static boolean isArray(RawDocument difference) {
        ElementCursor first = difference.cursor();
        return first.next() && first.type() == BsonType.BOOLEAN && first.name().equals("a");
    }
}
