package dev.semel.query.update;

import dev.semel.query.filter.Filter;
import dev.semel.query.filter.FilterScope;
import dev.semel.query.filter.Filters;
import dev.semel.query.value.Collation;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The operators on arrays, except for {@code $push}, which has its own file. */
final class ArrayModifications {
    private ArrayModifications() {}

    /** To compare many with many: a client may send hundreds of thousands, and comparing each with each would take hours. */
    private static Set<Value> sorted(List<Value> values, Collation collation) {
        var sorted = new TreeSet<Value>(collation::compare);
        sorted.addAll(values);
        return sorted;
    }

    /** {@code $addToSet}: what is not there yet, at the end. */
    record AddToSet(List<Value> values, Collation collation) implements Modification {
        /** So few are compared with each element faster than these are sorted. */
        private static final int COMPARED_WITH_EACH_MAX = 8;

        static AddToSet parse(Value value, Collation collation) {
            if (value instanceof Value.Doc(RawDocument document)
                    && document.first() instanceof Element(String name, Value each)
                    && name.equals("$each")) {
                if (!(each instanceof Value.Array(RawDocument elements))) {
                    throw new CommandException(
                            ErrorCode.TypeMismatch,
                            "The argument to $each in $addToSet must be an array but it was of type %s",
                            each.type());
                }
                if (document.size() > 1) {
                    throw new CommandException(
                            ErrorCode.BadValue,
                            "Found unexpected fields after $each in $addToSet: %s",
                            Shell.text(document));
                }
                return new AddToSet(distinct(Application.values(elements), collation), collation);
            }
            return new AddToSet(List.of(value), collation);
        }

        private static List<Value> distinct(List<Value> values, Collation collation) {
            return values.stream().filter(sorted(List.of(), collation)::add).toList();
        }

        @Override
        public Value apply(@Nullable Value before, Site site) {
            if (before == null) {
                return Application.array(values);
            }
            if (!(before instanceof Value.Array(RawDocument elements))) {
                throw new CommandException(
                        ErrorCode.BadValue,
                        "Cannot apply $addToSet to non-array field. Field named '%s' has non-array type %s",
                        site.name(),
                        before.type());
            }
            List<Value> after = Application.values(elements);
            int size = after.size();
            if (values.size() > COMPARED_WITH_EACH_MAX) {
                values.stream().filter(sorted(after, collation)::add).forEach(after::add);
            } else {
                values.stream()
                        .filter(each -> !contains(after, each, collation))
                        .forEach(after::add);
            }
            return after.size() == size ? before : Application.array(after);
        }

        private static boolean contains(List<Value> values, Value value, Collation collation) {
            for (Value each : values) {
                if (collation.equal(each, value)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** {@code $pop}: the first or the last element goes. */
    record Pop(boolean first) implements Modification {
        static Pop parse(String path, Value value) {
            if (!Numbers.isNumber(value)) {
                throw new CommandException(
                        ErrorCode.FailedToParse, "Expected a number in: %s: %s", path, Shell.text(value));
            }
            var direction = Numbers.exactLong(value);
            if (direction.isEmpty()) {
                throw new CommandException(
                        ErrorCode.FailedToParse, "Expected an integer: %s: %s", path, Shell.text(value));
            }
            if (Math.abs(direction.getAsLong()) != 1) {
                throw new CommandException(
                        ErrorCode.FailedToParse, "$pop expects 1 or -1, found: %s", direction.getAsLong());
            }
            return new Pop(direction.getAsLong() == -1);
        }

        @Override
        public @Nullable Value apply(@Nullable Value before, Site site) {
            if (before == null) {
                return null;
            }
            if (!(before instanceof Value.Array(RawDocument elements))) {
                throw new CommandException(
                        ErrorCode.TypeMismatch,
                        "Path '%s' contains an element of non-array type '%s'",
                        site.path(),
                        before.type());
            }
            if (elements.isEmpty()) {
                return before;
            }
            List<Value> values = Application.values(elements);
            return Application.array(first ? values.subList(1, values.size()) : values.subList(0, values.size() - 1));
        }

        @Override
        public boolean creates() {
            return false;
        }
    }

    /** {@code $pull} and {@code $pullAll}: elements that are asked for go. */
    record Pull(Predicate<Value> goes) implements Modification {
        /** What begins with a dollar sign and is said of a whole document. */
        private static final Set<String> OF_DOCUMENTS = Set.of(
                "$ref",
                "$id",
                "$db",
                "$or",
                "$and",
                "$nor",
                "$expr",
                "$where",
                "$jsonSchema",
                "$comment",
                "$alwaysTrue",
                "$alwaysFalse");

        @Override
        public boolean creates() {
            return false;
        }

        static Pull parse(Value value, FilterScope scope) {
            return new Pull(condition(value, scope));
        }

        private static Predicate<Value> condition(Value value, FilterScope scope) {
            if (asksValue(value)) {
                Filter filter = Filters.parseForElements(wrapped(value), scope);
                return each -> filter.matches(wrapped(each));
            }
            if (value instanceof Value.Doc(RawDocument document)) {
                Filter filter = Filters.parseForElements(document, scope);
                return each -> each instanceof Value.Doc(RawDocument element) && filter.matches(element);
            }
            return each -> scope.collation().equal(each, value);
        }

        /** Whether it asks the elements themselves, and not the fields of elements that are documents. */
        private static boolean asksValue(Value value) {
            return value instanceof Value.Regex
                    || (value instanceof Value.Doc(RawDocument document)
                            && document.first() instanceof Element(String name, Value ignored)
                            && name.startsWith("$")
                            && !OF_DOCUMENTS.contains(name));
        }

        /** A value as the only field of a document, because filters ask documents. */
        private static RawDocument wrapped(Value value) {
            return new BsonWriter(64).put("", value).finish();
        }

        static Pull parseAll(Value value, Collation collation) {
            if (!(value instanceof Value.Array(RawDocument elements))) {
                throw new CommandException(
                        ErrorCode.BadValue, "$pullAll requires an array argument but was given a %s", value.type());
            }
            return new Pull(sorted(Application.values(elements), collation)::contains);
        }

        @Override
        public @Nullable Value apply(@Nullable Value before, Site site) {
            if (before == null) {
                return null;
            }
            if (!(before instanceof Value.Array(RawDocument elements))) {
                throw new CommandException(ErrorCode.BadValue, "Cannot apply $pull to a non-array value");
            }
            List<Value> values = Application.values(elements);
            return values.removeIf(goes) ? Application.array(values) : before;
        }
    }
}
