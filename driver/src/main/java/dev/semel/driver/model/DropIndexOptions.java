package dev.semel.driver.model;

/** How to drop indexes. */
public final class DropIndexOptions extends TimedOptions<DropIndexOptions> {

    @Override
    DropIndexOptions self() {
        return this;
    }
}
