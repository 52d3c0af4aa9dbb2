package dev.semel.driver.model.search;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonValue;
import org.bson.conversions.Bson;

/** The fields that are searched. */
public sealed interface SearchPath extends Bson permits FieldSearchPath, WildcardSearchPath {
    static FieldSearchPath fieldPath(String path) {
        return new FieldSearchPath(path, null);
    }

    /** With an asterisk for any part of names. */
    static WildcardSearchPath wildcardPath(String path) {
        return new WildcardSearchPath(path);
    }

    /** A plain name where it is no more than that. */
    BsonValue toBsonValue();

    /** One path as itself, several as an array. */
    static Object value(Iterable<? extends SearchPath> paths) {
        return oneOrAll(values(paths));
    }

    static List<BsonValue> values(Iterable<? extends SearchPath> paths) {
        var all = new ArrayList<BsonValue>();
        paths.forEach(each -> all.add(each.toBsonValue()));
        return all;
    }

    static Object oneOrAll(List<?> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("At least one is needed");
        }
        return values.size() == 1 ? values.getFirst() : values;
    }
}
