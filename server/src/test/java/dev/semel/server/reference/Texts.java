package dev.semel.server.reference;

import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.types.Decimal128;

/** Values as texts that are equal if the types, the order of fields and the values are; of a decimal only the value counts. */
final class Texts {
    private Texts() {}

    static List<String> of(List<BsonDocument> documents) {
        return documents.stream().map(Texts::of).toList();
    }

    static String of(BsonValue value) {
        StringBuilder text = new StringBuilder();
        append(value, text);
        return text.toString();
    }

    private static void append(BsonValue value, StringBuilder to) {
        switch (value) {
            case BsonDocument document -> {
                to.append('{');
                document.forEach((name, each) -> {
                    to.append(name).append(": ");
                    append(each, to);
                    to.append(", ");
                });
                to.append('}');
            }
            case BsonArray array -> {
                to.append('[');
                array.forEach(each -> {
                    append(each, to);
                    to.append(", ");
                });
                to.append(']');
            }
            case BsonDecimal128 decimal -> {
                Decimal128 number = decimal.getValue();
                to.append("decimal ")
                        .append(
                                number.isNaN()
                                        ? "NaN"
                                        : Order.exact(decimal)
                                                .stripTrailingZeros()
                                                .toPlainString());
            }
            default -> to.append(value);
        }
    }
}
