package dev.semel.server.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import org.junit.jupiter.api.Test;

final class IdEqualityTest {

    private static RawDocument filter(String json) {
        return Unquoted.document(json);
    }

    @Test
    void valuesAndEqAreEqualities() {
        assertThat(IdEquality.only(filter("{_id: 1}"))).isEqualTo(Value.of(1));
        assertThat(IdEquality.only(filter("{_id: {$eq: \"x\"}}"))).isEqualTo(Value.of("x"));
        assertThat(IdEquality.only(filter("{_id: {a: 1}}"))).isEqualTo(Value.of(filter("{a: 1}")));
        assertThat(IdEquality.only(filter("{_id: {}}"))).isEqualTo(Value.of(RawDocument.EMPTY));
    }

    @Test
    void whatMatchesMoreThanOneValueIsNone() {
        assertThat(IdEquality.of(filter("{_id: null}"))).isNull();
        assertThat(IdEquality.of(filter("{_id: [1]}"))).isNull();
        assertThat(IdEquality.of(filter("{_id: {$gt: 1}}"))).isNull();
        assertThat(IdEquality.of(filter("{_id: {$in: [1]}}"))).isNull();
        assertThat(IdEquality.of(filter("{a: 1}"))).isNull();
        assertThat(IdEquality.of(filter("{}"))).isNull();
    }

    @Test
    void moreConditionsLeaveAnEqualityButNotTheOnlyOne() {
        assertThat(IdEquality.of(filter("{a: 2, _id: 1}"))).isEqualTo(Value.of(1));
        assertThat(IdEquality.only(filter("{_id: 1, a: 2}"))).isNull();
        assertThat(IdEquality.only(filter("{a: 2, _id: 1}"))).isNull();
        assertThat(IdEquality.only(filter("{_id: {$eq: 1, $gt: 0}}"))).isNull();
    }
}
