package dev.semel.samples.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.context.annotation.Import;

@DataMongoTest
@Import(Shelves.class)
class ShelvesTest {
    private final Shelves shelves;
    private final Items items;

    ShelvesTest(@Autowired Shelves shelves, @Autowired Items items) {
        this.shelves = shelves;
        this.items = items;
    }

    @BeforeEach
    void fill() {
        items.saveAll(List.of(new Item("cup", 3), new Item("pot", 1)));
    }

    @Test
    void orderIsTaken() {
        shelves.take(Map.of("cup", 2, "pot", 1));
        assertThat(items.findAll()).containsExactlyInAnyOrder(new Item("cup", 1), new Item("pot", 0));
    }

    @Test
    void orderThatCannotBeFilledLeavesEverythingWhereItIs() {
        var order = new LinkedHashMap<String, Integer>();
        order.put("cup", 2);
        order.put("pot", 2);
        assertThatThrownBy(() -> shelves.take(order)).hasMessage("there are only 1 of pot");
        assertThat(items.findAll()).containsExactlyInAnyOrder(new Item("cup", 3), new Item("pot", 1));
    }
}
