package dev.semel.query.geo;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values at a path where an index looks for shapes. Arrays on the way are searched; one at the end is a value, because
 * it may be a pair of coordinates.
 *
 * @param values those found
 * @param arrays a bit for each part of the path at which an array was searched, the first part the lowest
 */
public record Locations(List<Value> values, long arrays) {

    public static Locations of(DottedPath path, RawDocument document) {
        Walk walk = new Walk(path);
        walk.from(document, 0);
        return new Locations(walk.found, walk.arrays);
    }

    /** The same without what counts as no value for an index on the sphere: null, or an empty document or array, alone. */
    public Locations withoutBlank() {
        return values.size() == 1 && isBlank(values.getFirst()) ? new Locations(List.of(), arrays) : this;
    }

    private static boolean isBlank(Value value) {
        RawDocument inside = Position.inside(value);
        return inside == null ? value == Value.NULL || value == Value.UNDEFINED : inside.isEmpty();
    }

    /** The pairs of coordinates, of which a value may hold several, as an index on the plane has them. */
    public List<RawDocument> pairs() {
        List<RawDocument> pairs = new ArrayList<>();
        for (Value each : values) {
            RawDocument inside = Position.inside(each);
            if (inside == null || inside.first() == null) {
                continue;
            }
            if (inside.first() instanceof Element(String ignored, Value first) && Numbers.isNumber(first)) {
                pairs.add(inside);
            } else {
                addInner(inside, pairs);
            }
        }
        return pairs;
    }

    private static void addInner(RawDocument inside, List<RawDocument> pairs) {
        for (Element each : inside) {
            RawDocument pair = Position.inside(each.value());
            if (pair == null) {
                throw new CommandException(
                        ErrorCode.location(16804), "location object expected, location array not in correct format");
            }
            if (!pair.isEmpty()) {
                pairs.add(pair);
            }
        }
    }

    /** The nearest of a document's places: how far it is, and the value that says where. */
    public record Nearest(double distance, Value location) {}

    /** Null if the document has no place that has a distance. */
    public static @Nullable Nearest nearest(DottedPath path, RawDocument document, NearQuery near) {
        Nearest best = null;
        for (Value each : of(path, document).values()) {
            best = nearer(best, each, near);
            RawDocument inside = Position.inside(each);
            if (inside != null && near.fitsPlane()) {
                for (Element inner : inside) {
                    best = nearer(best, inner.value(), near);
                }
            }
        }
        return best;
    }

    private static @Nullable Nearest nearer(@Nullable Nearest best, Value value, NearQuery near) {
        // Of a pair of coordinates each number comes here, too.
        Geometry geometry = Position.inside(value) == null ? null : Geometry.storedOrNull(value);
        double distance = geometry == null ? Double.NaN : near.distance(geometry);
        boolean isNearer = best == null ? !Double.isNaN(distance) : distance < best.distance;
        return isNearer ? new Nearest(distance, value) : best;
    }

    private static final class Walk {
        private final DottedPath path;
        private final List<Value> found = new ArrayList<>();
        private long arrays;

        Walk(DottedPath path) {
            this.path = path;
        }

        void from(RawDocument document, int part) {
            Value value = document.get(path.partUtf8(part));
            if (value != null) {
                at(value, part);
            }
        }

        private void at(Value value, int part) {
            if (part == path.size() - 1) {
                found.add(value);
                return;
            }
            switch (value) {
                case Value.Doc(RawDocument inner) -> from(inner, part + 1);
                case Value.Array(RawDocument elements) -> array(elements, part);
                default -> {}
            }
        }

        private void array(RawDocument elements, int part) {
            arrays |= 1L << part;
            int wanted = path.index(part + 1);
            int position = 0;
            for (Element each : elements) {
                if (position++ == wanted) {
                    at(each.value(), part + 1);
                }
                if (each.value() instanceof Value.Doc(RawDocument inner)) {
                    from(inner, part + 1);
                }
            }
        }
    }
}
