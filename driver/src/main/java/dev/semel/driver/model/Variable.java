package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** A variable and the expression that computes its value; stages refer to it as {@code $$name}. */
public record Variable<T extends @Nullable Object>(String name, T value) {
    public String getName() {
        return name;
    }

    public T getValue() {
        return value;
    }
}
