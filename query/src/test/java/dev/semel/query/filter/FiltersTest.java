package dev.semel.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.Shorthand;
import dev.semel.query.expression.Environment;
import dev.semel.query.expression.QueryMemory;
import dev.semel.query.value.Collation;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class FiltersTest {
    @Test
    void filterNestedBeyondTheLimitIsRefused() {
        RawDocument filter = new BsonWriter().put("a", 1).finish();
        for (int i = 0; i < 99; i++) {
            filter = new BsonWriter().startArray("$and").add(filter).end().finish();
        }
        assertThat(parse(filter).matches(new BsonWriter().put("a", 1).finish())).isTrue();
        RawDocument deeper = new BsonWriter()
                .startArray("$and")
                .add(new BsonWriter().startArray("$and").add(filter).end().finish())
                .end()
                .finish();
        assertThatThrownBy(() -> parse(deeper)).hasMessage("exceeded maximum query tree depth of 100");
    }

    /** A client that limits the time of its query must not get a result after that because no document was looked at. */
    @Test
    void shapesAreNotReadPastTheTimeLimit() {
        Environment late = new Environment(
                0,
                null,
                new Random(1),
                () -> {
                    throw new CommandException(ErrorCode.MaxTimeMSExpired, "operation exceeded time limit");
                },
                null);
        for (String operator : List.of("$geoWithin", "$geoIntersects")) {
            RawDocument filter = Shorthand.document("{a: {" + operator
                    + ": {$geometry: {type: 'Polygon', coordinates: [[[0, 0], [0, 1], [1, 1], [0, 0]]]}}}}");
            assertThatThrownBy(() -> Filters.parse(filter, new FilterScope(late)))
                    .hasMessage("operation exceeded time limit");
        }
    }

    @Test
    void plannerSeesComparisonsAsTheyAre() {
        assertThat(parse(Shorthand.document("{a: 1, b: {$in: [2, 1, 2.0]}}")))
                .isInstanceOfSatisfying(
                        Filter.And.class,
                        and -> assertThat(and.all())
                                .containsExactly(
                                        new Filter.Field(
                                                DottedPath.of("a"),
                                                new Condition.Compare(Comparison.EQ, Value.of(1), Collation.SIMPLE)),
                                        new Filter.Field(
                                                DottedPath.of("b"),
                                                new Condition.In(
                                                        List.of(Value.of(1), Value.of(2)),
                                                        List.of(),
                                                        Collation.SIMPLE))));
    }

    @Test
    void anchoredLettersAreAPrefix() {
        assertThat(RegexPattern.of("^abc", "", () -> {}).prefix()).isEqualTo("abc");
        assertThat(RegexPattern.of("^abc*", "", () -> {}).prefix()).isEqualTo("ab");
        assertThat(RegexPattern.of("^ab.c", "", () -> {}).prefix()).isEqualTo("ab");
        assertThat(RegexPattern.of("^ab|c", "", () -> {}).prefix()).isEmpty();
        assertThat(RegexPattern.of("abc", "", () -> {}).prefix()).isEmpty();
        assertThat(RegexPattern.of("^abc", "i", () -> {}).prefix()).isEmpty();
    }

    @Test
    void whereSleepsForEachDocumentThatItComesTo() {
        var slept = new AtomicLong();
        var environment = new Environment(
                0,
                null,
                new Random(1),
                () -> {},
                slept::addAndGet,
                bytes -> {},
                QueryMemory.unlimited(),
                Shorthand.scripts());
        Filter filter = Filters.parse(
                Shorthand.document("{a: 1, $where: 'sleep(600000) || true'}"), new FilterScope(environment));
        assertThat(filter.matches(new BsonWriter().put("a", 1).finish())).isTrue();
        assertThat(filter.matches(new BsonWriter().put("a", 2).finish())).isFalse();
        assertThat(slept).hasValue(600_000);
    }

    @Test
    void sleepIsRefusedIfItCannotBeInterrupted() {
        var scope = new FilterScope(new Environment(0, null, new Random(1)));
        assertThatThrownBy(() -> Filters.parse(Shorthand.document("{$where: 'sleep(1) || true'}"), scope))
                .hasMessage("$where is not allowed in this context");
    }

    private static Filter parse(RawDocument filter) {
        return Filters.parse(filter, Shorthand.scope());
    }

    @Test
    void matchThatTakesLongAsksWhetherToGoOn() {
        var pattern = RegexPattern.of("^(a+)+(a+)+b", "", () -> {
            throw new CommandException(ErrorCode.MaxTimeMSExpired, "operation exceeded time limit");
        });
        assertThatThrownBy(() -> pattern.matches("a".repeat(40)))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MaxTimeMSExpired));
    }
}
