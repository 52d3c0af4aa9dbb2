package dev.semel.blackpipe.message;

import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** A condition on one field of a request; the path has dots, and numbers for positions in arrays. */
public sealed interface FieldTest {
    String path();

    boolean holds(@Nullable Value found);

    /** Numbers are equal by value, whatever their type. */
    record Equal(String path, Value expected) implements FieldTest {
        @Override
        public boolean holds(@Nullable Value found) {
            if (found == null) {
                return false;
            }
            Double number = number(found);
            return number == null ? expected.equals(found) : number.equals(number(expected));
        }

        private static @Nullable Double number(Value value) {
            return switch (value) {
                case Value.Int32(int number) -> (double) number;
                case Value.Int64(long number) -> (double) number;
                case Value.Double64(double number) -> number;
                default -> null;
            };
        }

        @Override
        public String toString() {
            return path + " = " + Json.relaxed(expected);
        }
    }

    record Exists(String path, boolean expected) implements FieldTest {
        @Override
        public boolean holds(@Nullable Value found) {
            return (found != null) == expected;
        }

        @Override
        public String toString() {
            return (expected ? "a " : "no ") + path;
        }
    }
}
