package dev.semel.driver.model;

/** Options of {@code dropIndex} and {@code dropIndexes}. */
public final class DropIndexOptions extends TimedOptions<DropIndexOptions> {

    @Override
    DropIndexOptions self() {
        return this;
    }
}
