package dev.semel.driver.model;

import org.jspecify.annotations.Nullable;

/** A field and the expression that computes its value. */
public record Field<T extends @Nullable Object>(String name, T value) {
    public String getName() {
        return name;
    }

    public T getValue() {
        return value;
    }
}
