package dev.semel.driver.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.bson.BsonInt32;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;

class IdsByIndexTest {
    private final Map<Integer, BsonValue> ids =
            new IdsByIndex(new BsonValue[] {null, new BsonInt32(7), null, new BsonInt32(9), null});

    @Test
    void equalsAMapOfTheSame() {
        Map<Integer, BsonValue> map = Map.of(1, new BsonInt32(7), 3, new BsonInt32(9));

        assertThat(ids).isEqualTo(map).hasSameHashCodeAs(map).hasSize(2);
        assertThat(map).isEqualTo(ids);
    }

    @Test
    void hasNothingAtTheIndexOfAnotherStatement() {
        assertThat(ids.get(0)).isNull();
        assertThat(ids.get(5)).isNull();
        assertThat(ids.get(-1)).isNull();
        assertThat(ids.containsKey(2)).isFalse();
        assertThat(ids.keySet()).containsExactly(1, 3);
    }

    @Test
    void cannotBeChanged() {
        assertThatThrownBy(() -> ids.put(0, new BsonInt32(1))).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(ids::clear).isInstanceOf(UnsupportedOperationException.class);
    }
}
