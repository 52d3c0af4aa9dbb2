package dev.semel.driver.model.changestream;

/** An array that became shorter. */
public record TruncatedArray(String field, int newSize) {
    public String getField() {
        return field;
    }

    public int getNewSize() {
        return newSize;
    }
}
