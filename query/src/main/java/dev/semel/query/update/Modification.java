package dev.semel.query.update;

import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** What an operator does to the value at its path. */
interface Modification {
    /**
     * The value afterwards: the same object if nothing changes, null if there shall be none.
     *
     * @param before null if there is none
     */
    @Nullable
    Value apply(@Nullable Value before, Site site);

    /** Whether it lets a path pass that cannot exist, because a scalar stands in its way. */
    default boolean toleratesImpossiblePath(Site site) {
        return false;
    }

    /** Whether it makes what is not there; otherwise a path that leads nowhere is left as it is. */
    default boolean creates() {
        return true;
    }

    /**
     * Whether change streams are told only the elements that come to the end of an array, and not all of it.
     *
     * @param before the array, or another value with parts
     */
    default boolean isToldByElement(Value before) {
        return false;
    }

    /** Where a modification is applied: the path for its errors, and the document that {@code $rename} reads. */
    record Site(Application application, String path) {
        boolean inserting() {
            return application.inserting();
        }

        /** The last name of the path. */
        String name() {
            return path.substring(path.lastIndexOf('.') + 1);
        }

        String document() {
            return application.documentText();
        }
    }
}
