package dev.semel.golden.corner;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/**
 * Where a value is in a document.
 *
 * @param path the names on the way, where those of an array's elements are all the same
 * @param positions of the elements on the way, from the outermost document on
 * @param isInArray whether the value is an element of an array
 */
public record Place(String path, List<Integer> positions, boolean isInArray) {
    /** What stands in the place of an element: none, one, or more. */
    @FunctionalInterface
    private interface Change extends BiFunction<String, BsonValue, Map<String, BsonValue>> {}

    /** All places, outer ones first. */
    public static List<Place> all(BsonDocument document) {
        List<Place> places = new ArrayList<>();
        addAll(document, "", List.of(), false, places);
        return places;
    }

    private static void addAll(
            BsonValue of, String path, List<Integer> positions, boolean isInArray, List<Place> places) {
        int position = 0;
        for (Map.Entry<String, BsonValue> each : elements(of)) {
            List<Integer> here = new ArrayList<>(positions);
            here.add(position++);
            String name = path + "." + (isInArray ? "[]" : each.getKey());
            places.add(new Place(name, List.copyOf(here), isInArray));
            addAll(each.getValue(), name, here, each.getValue().isArray(), places);
        }
    }

    /** None of what is no document and no array. */
    private static List<Map.Entry<String, BsonValue>> elements(BsonValue of) {
        if (of instanceof BsonDocument document) {
            return List.copyOf(document.entrySet());
        }
        List<Map.Entry<String, BsonValue>> elements = new ArrayList<>();
        if (of instanceof BsonArray array) {
            array.forEach(each -> elements.add(Map.entry("", each)));
        }
        return elements;
    }

    /** The document with each corner in this place, with other names there, wrapped in an array or a document, and without it. */
    public Stream<BsonDocument> changes(BsonDocument document) {
        Stream<Change> values = Corners.VALUES.stream().map(corner -> (name, value) -> Map.of(name, corner));
        Stream<Change> wrapped = Stream.of(
                (name, value) -> Map.of(name, new BsonArray(List.of(value, value))),
                (name, value) -> Map.of(name, new BsonDocument(name, value)),
                (name, value) -> Map.of());
        Stream<Change> names =
                isInArray ? Stream.of() : Corners.NAMES.stream().map(corner -> (name, value) -> Map.of(corner, value));
        return Stream.of(values, wrapped, names)
                .flatMap(each -> each)
                .map(change -> changed(document, 0, change).asDocument());
    }

    private BsonValue changed(BsonValue of, int depth, Change change) {
        BsonDocument fields = new BsonDocument();
        BsonArray array = new BsonArray();
        int position = 0;
        for (Map.Entry<String, BsonValue> each : elements(of)) {
            Map<String, BsonValue> instead = Map.of(each.getKey(), each.getValue());
            if (position++ == positions.get(depth)) {
                instead = depth == positions.size() - 1
                        ? change.apply(each.getKey(), each.getValue())
                        : Map.of(each.getKey(), changed(each.getValue(), depth + 1, change));
            }
            fields.putAll(instead);
            array.addAll(instead.values());
        }
        return of.isArray() ? array : fields;
    }
}
