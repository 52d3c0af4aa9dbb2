package dev.semel.samples.boot4;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The whole application, whose properties name a server that is not there. */
@SpringBootTest
class StoreApplicationTest {
    @Test
    void whatRunsOutIsNoted(@Autowired Items items, @Autowired Shelves shelves, @Autowired Reorders reorders)
            throws InterruptedException {
        assertThat(reorders.subscription().await(Duration.ofSeconds(10))).isTrue();
        items.saveAll(List.of(new Item("cup", 3), new Item("pot", 1)));
        shelves.take(Map.of("cup", 1, "pot", 1));
        await().untilAsserted(() -> assertThat(reorders.noted()).containsExactly("pot"));
    }
}
