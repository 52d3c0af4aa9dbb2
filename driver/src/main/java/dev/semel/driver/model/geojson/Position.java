package dev.semel.driver.model.geojson;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDouble;

/** Longitude, latitude and perhaps more. */
public record Position(List<Double> values) {
    public Position {
        if (values.size() < 2) {
            throw new IllegalArgumentException("A position has at least two values, found " + values);
        }
        values = List.copyOf(values);
    }

    public Position(double first, double second, double... more) {
        this(list(first, second, more));
    }

    private static List<Double> list(double first, double second, double... more) {
        var all = new ArrayList<Double>(List.of(first, second));
        for (double each : more) {
            all.add(each);
        }
        return all;
    }

    public List<Double> getValues() {
        return values;
    }

    BsonArray toBson() {
        return new BsonArray(values.stream().map(BsonDouble::new).toList());
    }
}
