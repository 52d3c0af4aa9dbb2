package dev.semel.query.update;

import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import org.jspecify.annotations.Nullable;

/** {@code $rename}: the target takes the source's value, then the source goes. */
record Renaming(DottedPath source, DottedPath target) {
    /** Neither path may lead through an array, nor may the source name a field of an array's elements. */
    void check(RawDocument document) {
        if (source.literal(document) != null) {
            checkNoArray(document, source, "source");
            checkNoArray(document, target, "destination");
        } else {
            checkViable(document);
        }
    }

    /** A source that is not there does nothing; one that cannot be there, below a value without fields, is an error. */
    private void checkViable(RawDocument document) {
        for (int i = 1; i < source.size(); i++) {
            Value above = source.prefix(i).literal(document);
            if (above == null) {
                return;
            }
            boolean isViable = above instanceof Value.Doc
                    || (above instanceof Value.Array && DottedPath.index(source.part(i)) >= 0);
            if (!isViable) {
                throw new CommandException(
                        ErrorCode.PathNotViable,
                        "cannot use the part (%s of %s) to traverse the element ({%s: %s})",
                        source.part(i),
                        source,
                        source.part(i - 1),
                        Shell.text(above));
            }
        }
    }

    private static void checkNoArray(RawDocument document, DottedPath path, String role) {
        for (int i = 1; i < path.size(); i++) {
            if (path.prefix(i).literal(document) instanceof Value.Array) {
                Value id = document.get("_id");
                throw new CommandException(
                        ErrorCode.BadValue,
                        "The %s field cannot be an array element, '%s' in doc with %s has an array field called '%s'",
                        role,
                        path,
                        id == null ? "no id" : "_id: " + Shell.text(id),
                        path.part(i - 1));
            }
        }
    }

    /** What happens at the target. */
    record Arrival(DottedPath source) implements Modification {
        @Override
        public @Nullable Value apply(@Nullable Value before, Site site) {
            Value moved = source.literal(site.application().original());
            return moved == null || moved.equals(before) ? before : moved;
        }

        @Override
        public boolean toleratesImpossiblePath(Site site) {
            return source.literal(site.application().original()) == null;
        }
    }
}
