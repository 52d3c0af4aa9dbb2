package dev.semel.cluster;

import dev.semel.golden.mutation.Mutations;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Do the tests notice the deliberate faults of {@code mutations.txt}? */
class MutationsTest {
    @Test
    void listMatchesTheCode() throws IOException {
        Mutations.ofThisModule().check();
    }

    /** By the profile {@code mutations}. */
    @TestFactory
    @Tag("slow")
    @Tag("mutation")
    Stream<DynamicTest> everyFaultIsNoticed() throws IOException {
        return Mutations.ofThisModule().tests();
    }
}
