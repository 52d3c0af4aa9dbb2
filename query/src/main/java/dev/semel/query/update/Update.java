package dev.semel.query.update;

import dev.semel.query.delta.Form;
import dev.semel.query.delta.Form.Version;
import dev.semel.query.filter.Filter;
import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.value.DottedPath;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What an update makes of a document. */
public sealed interface Update {
    /**
     * The document after the update, the same object if nothing changed. Its size is the caller's to check.
     *
     * @param filter what found the document: the positional {@code $} is the array element that it matched
     */
    Version apply(RawDocument before, Filter filter);

    /**
     * The document that is inserted because none matched: what the filter says every match must have, then the update,
     * {@code _id} first.
     */
    RawDocument upsert(Filter filter, Value generatedId);

    /** A name that begins with a dollar sign can be inserted at the top of a document, but not put there later. */
    private static void refuse(@Nullable String name) {
        if (name != null) {
            throw new CommandException(
                    ErrorCode.DollarPrefixedFieldName,
                    "The dollar ($) prefixed field '%s' in '%s' is not allowed in the context of an update's "
                            + "replacement document. Consider using an aggregation pipeline with $replaceWith.",
                    name,
                    name);
        }
    }

    /** A document in place of the old one, whose {@code _id} stays. */
    record Replacement(RawDocument document, @Nullable String dollar) implements Update {
        @Override
        public Version apply(RawDocument before, Filter filter) {
            refuse(dollar);
            // One without an _id is never the same, as MongoDB compares: it counts as a change.
            RawDocument after = document.equals(before) ? before : IdField.kept(before, document);
            return new Version(after, Form.REPLACEMENT);
        }

        @Override
        public RawDocument upsert(Filter filter, Value generatedId) {
            return IdField.chosen(document, Equalities.exactId(filter), generatedId);
        }
    }

    /** Operators. */
    final class Operators implements Update {
        private final Node.Branch root;
        private final List<Renaming> renamings;
        private final List<DottedPath> changed;
        private final boolean positional;
        private final @Nullable String dollar;

        Operators(
                Node.Branch root,
                List<Renaming> renamings,
                List<DottedPath> changed,
                boolean positional,
                @Nullable String dollar) {
            this.root = root;
            this.renamings = renamings;
            this.changed = changed;
            this.positional = positional;
            this.dollar = dollar;
        }

        @Override
        public Version apply(RawDocument before, Filter filter) {
            refuse(dollar);
            int matched = positional ? filter.matchedIndex(before) : DottedPath.NOT_FOUND;
            Version after = changed(before, matched, false);
            if (changesId()) {
                IdField.checkKept(before.get("_id"), after.document().get("_id"));
            }
            return after;
        }

        @Override
        public RawDocument upsert(Filter filter, Value generatedId) {
            RawDocument seed = Equalities.document(filter);
            RawDocument after = changed(seed, DottedPath.NOT_FOUND, true).document();
            Value id = after.get("_id");
            if (seed.has("_id")) {
                IdField.checkKept(seed.get("_id"), id);
            }
            Value chosen = id == null ? generatedId : id;
            IdField.check(chosen);
            return IdField.first(after, chosen);
        }

        private Version changed(RawDocument before, int matched, boolean inserting) {
            for (Renaming renaming : renamings) {
                renaming.check(before);
            }
            Node.Branch tree = positional ? root.at(matched, "") : root;
            return new Application(before, inserting).version(tree);
        }

        /** All fields that it may change, of renamed ones both. */
        public List<DottedPath> changed() {
            return changed;
        }

        private boolean changesId() {
            for (DottedPath path : changed) {
                if (path.first().equals("_id")) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Stages of a pipeline that make one document of one. */
    record Transformation(Pipeline stages) implements Update {
        @Override
        public Version apply(RawDocument before, Filter filter) {
            RawDocument made = stages.apply(before);
            return new Version(made.equals(before) ? before : IdField.kept(before, made), Form.COMPARISON);
        }

        @Override
        public RawDocument upsert(Filter filter, Value generatedId) {
            RawDocument seed = Equalities.document(filter);
            RawDocument made = stages.apply(seed);
            return IdField.chosen(made, seed.get("_id"), generatedId);
        }
    }
}
