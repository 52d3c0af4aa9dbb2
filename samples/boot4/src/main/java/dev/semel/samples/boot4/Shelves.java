package dev.semel.samples.boot4;

import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** What is in stock, and what leaves it. */
@Service
public class Shelves {
    private final Items items;

    Shelves(Items items) {
        this.items = items;
    }

    /** Takes all that was ordered, or nothing of it. */
    @Transactional
    public void take(Map<String, Integer> order) {
        order.forEach((name, count) -> {
            var item = items.findById(name).orElseThrow(() -> new IllegalArgumentException("there is no " + name));
            if (item.stock() < count) {
                throw new IllegalStateException("there are only " + item.stock() + " of " + name);
            }
            items.save(new Item(name, item.stock() - count));
        });
    }
}
