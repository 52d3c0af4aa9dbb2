package dev.semel.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.Values;
import dev.semel.query.delta.Delta;
import dev.semel.query.delta.DeltaApplication;
import dev.semel.query.delta.Form;
import dev.semel.query.delta.WholePaths;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class UpdatePropertyTest {
    private static final List<String> OPERATORS =
            List.of("$set", "$unset", "$inc", "$mul", "$min", "$max", "$push", "$addToSet", "$pull", "$setOnInsert");

    /** What an update makes is BSON, and what is told of it makes the same document; no change keeps the object. */
    @Test
    void updatedDocumentsAreValid() {
        Seeds.check(4_000, random -> {
            var values = new Values(random);
            RawDocument before = values.document(3);
            Form.Version version;
            try {
                version = update(random, values).apply(before, Filters.ALL);
            } catch (CommandException e) {
                assertThat(e.text()).isNotEmpty();
                return;
            }
            RawDocument after = version.document();
            BsonValidation.check(after.array(), after.offset(), after.offset() + after.length());
            if (after.equals(before)) {
                assertThat(after).isSameAs(before);
            }
            WholePaths wholes = ((Form.Operators) version.form()).wholes();
            assertThat(DeltaApplication.apply(before, Delta.between(before, after, wholes)))
                    .isEqualTo(after);
        });
    }

    /** {@code $set} leaves the value where a filter finds it. */
    @Test
    void valueSetIsThere() {
        Seeds.check(2_000, random -> {
            var values = new Values(random);
            String path = values.path();
            Value value = values.value(2);
            RawDocument after;
            try {
                after = parse(new BsonWriter()
                                .put("$set", new BsonWriter().put(path, value).finish())
                                .finish())
                        .apply(values.document(3), Filters.ALL)
                        .document();
            } catch (CommandException e) {
                assertThat(e.text()).startsWith("Cannot create field");
                return;
            }
            assertThat(DottedPath.of(path).literal(after)).isEqualTo(value);
        });
    }

    private static Update update(Random random, Values values) {
        var update = new BsonWriter();
        String operator = OPERATORS.get(random.nextInt(OPERATORS.size()));
        var fields = new BsonWriter().put(values.path(), values.value(1));
        if (random.nextBoolean()) {
            fields.put(values.path(), values.value(1));
        }
        return parse(update.put(operator, fields.finish()).finish());
    }

    private static Update parse(RawDocument update) {
        return Updates.parse(Value.of(update), List.of(), UpdateScriptsTest.scope());
    }
}
