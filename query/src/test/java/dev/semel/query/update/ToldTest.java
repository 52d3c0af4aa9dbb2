package dev.semel.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.query.Shorthand;
import dev.semel.query.delta.Delta;
import dev.semel.query.delta.DeltaApplication;
import dev.semel.query.delta.Form;
import dev.semel.query.delta.UpdateDescription;
import dev.semel.query.filter.Filters;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Those who follow changes are told what operators wrote, not which parts of it are new. */
class ToldTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {a: {b: 1, c: 2}}     | {$set: {a: {b: 1, c: 3}}}                         | {"a": {"b": 1, "c": 3}}
        {a: {b: 1, c: 2}}     | {$set: {'a.c': 3}}                                | {"a.c": 3}
        {a: {b: 1}}           | {$set: {'a.c.d': 3}}                              | {"a.c": {"d": 3}}
        {a: {b: {c: [1, 2]}}} | {$set: {'a.b': {c: [1]}}}                         | {"a.b": {"c": [1]}}
        {a: {b: 1}}           | {$set: {a: {b: 1}}}                               | {}
        {a: {b: 1}, d: 1}     | {$set: {a: {b: 1}, d: 2}}                         | {"d": 2}
        {a: {b: 1}, d: {b: 2}} | {$rename: {d: 'a'}}                              | {"a": {"b": 2}}
        {a: [1, 2, 3]}        | {$set: {a: [1, 2]}}                               | {"a": [1, 2]}
        {a: [1, 2, 3]}        | {$set: {'a.1': 5}}                                | {"a.1": 5}
        {a: [1, {b: {c: 1}}]} | {$set: {'a.1.b': {c: 2}}}                         | {"a.1.b": {"c": 2}}
        {a: [1, 2]}           | {$unset: {'a.0': 1}}                              | {"a.0": null}
        {a: [1, 2]}           | {$push: {a: 3}}                                   | {"a.2": 3}
        {a: [1]}              | {$push: {a: {$each: [2, 3, 4, 5, 6, 7, 8, 9]}}}   | {"a.1": 2, "a.2": 3, "a.3": 4, "a.4": 5, "a.5": 6, "a.6": 7, "a.7": 8, "a.8": 9}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $position: 3}}}          | {"a.2": 3}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $position: 2}}}          | {"a": [1, 2, 3]}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $position: 0}}}          | {"a": [3, 1, 2]}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $sort: 1}}}              | {"a": [1, 2, 3]}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $slice: -2}}}            | {"a": [2, 3]}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $slice: 0}}}             | {"a": []}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $slice: -3}}}            | {"a.2": 3}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $slice: 10, $position: 3}}} | {"a.2": 3}
        {a: [1, 2]}           | {$push: {a: {$each: [3], $slice: 10, $position: 2}}} | {"a": [1, 2, 3]}
        {a: []}               | {$push: {a: 3}}                                   | {"a": [3]}
        {b: 1}                | {$push: {a: 3}}                                   | {"a": [3]}
        {a: [1, 2]}           | {$addToSet: {a: 3}}                               | {"a": [1, 2, 3]}
        {a: [1, 2, 3]}        | {$pop: {a: 1}}                                    | {"a": [1, 2]}
        {a: [1, 2, 3]}        | {$pull: {a: 3}}                                   | {"a": [1, 2]}
        {a: [1, 2, 3]}        | {$pullAll: {a: [1, 2, 3]}}                        | {"a": []}
        {a: [1, 2, 3]}        | {$inc: {'a.$[]': 1}}                              | {"a": [2, 3, 4]}
        {a: [1, 2, 3]}        | {$max: {'a.$[]': 3}}                              | {"a": [3, 3, 3]}
        {a: [1, 3, 3]}        | {$max: {'a.$[]': 2}}                              | {"a.0": 2}
        {a: [{b: 1, c: 1}, {b: 2, c: 1}]} | {$max: {'a.$[].b': 2}}                | {"a.0": {"b": 2, "c": 1}}
        {a: [{b: 1, c: 1}]}   | {$max: {'a.$[].b': 2}}                            | {"a.0.b": 2}
        {a: [{b: [1, 2]}, {b: [3, 4]}]} | {$inc: {'a.$[].b.$[]': 1}}              | {"a": [{"b": [2, 3]}, {"b": [4, 5]}]}
        {a: [{b: [1, 2]}]}    | {$inc: {'a.$[].b.$[]': 1}}                        | {"a.0.b": [2, 3]}
        {a: {b: [1, 2]}, c: {d: {e: 1}}} | {$pop: {'a.b': -1}, $set: {'c.d': {e: 2}}} | {"a.b": [2], "c.d": {"e": 2}}
        """)
    void byPathsOfOperators(String before, String update, String updated) {
        RawDocument document = Shorthand.document(before);
        Form.Version version = Updates.parse(Shorthand.value(update), List.of(), UpdateScriptsTest.scope())
                .apply(document, Filters.ALL);
        Form.Operators form = (Form.Operators) version.form();

        RawDocument difference = Delta.between(document, version.document(), form.wholes());

        RawDocument description = UpdateDescription.of(difference, false);
        assertThat(description.get("updatedFields")).isEqualTo(Value.of(Json.parse(updated)));
        assertThat(description.get("truncatedArrays")).isEqualTo(new Value.Array(RawDocument.EMPTY));
        assertThat(DeltaApplication.apply(document, difference)).isEqualTo(version.document());
    }
}
