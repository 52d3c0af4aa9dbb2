package dev.semel.driver.model.changestream;

/** Which part of a large change this is, where the pipeline ends in {@code $changeStreamSplitLargeEvent}; counted from 1. */
public record SplitEvent(int fragment, int of) {
    public int getFragment() {
        return fragment;
    }

    public int getOf() {
        return of;
    }
}
