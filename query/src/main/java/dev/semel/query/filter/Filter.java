package dev.semel.query.filter;

import dev.semel.query.expression.Environment;
import dev.semel.query.expression.Expression;
import dev.semel.query.expression.Expressions;
import dev.semel.query.geo.NearQuery;
import dev.semel.query.script.Scripts;
import dev.semel.query.text.TextSearch;
import dev.semel.query.value.DottedPath;
import dev.semel.query.value.ElementTest;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A filter by its shape. What is asked of the values at one path is a {@link Condition}; {@code $ne}, {@code $nin} and
 * {@code {$exists: false}} are a {@link Not} around the condition that they deny, because they must hold for every value.
 */
public sealed interface Filter {
    /** Whether the document that begins here is asked for. */
    boolean matches(byte[] bytes, int document);

    default boolean matches(RawDocument document) {
        return matches(document.array(), document.offset());
    }

    /**
     * Which element of an array made this document match, {@link DottedPath#WITHOUT_INDEX} if no array had to be searched
     * and {@link DottedPath#NOT_FOUND} if the document does not match: what the positional {@code $} stands for. Of
     * several conditions the last, in MongoDB's order, that searched an array decides; alternatives and denials record nothing.
     */
    default int matchedIndex(RawDocument document) {
        return matches(document) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
    }

    /** All of them; two at least. */
    record And(List<Filter> all) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            for (int i = 0; i < all.size(); i++) {
                if (!all.get(i).matches(bytes, document)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public int matchedIndex(RawDocument document) {
            int last = DottedPath.WITHOUT_INDEX;
            for (Filter each : MatchOrder.of(this)) {
                int index = each.matchedIndex(document);
                if (index == DottedPath.NOT_FOUND) {
                    return DottedPath.NOT_FOUND;
                }
                last = index == DottedPath.WITHOUT_INDEX ? last : index;
            }
            return last;
        }
    }

    /** One of them; of two at least. */
    record Or(List<Filter> any) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            for (int i = 0; i < any.size(); i++) {
                if (any.get(i).matches(bytes, document)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** None of them. */
    record Nor(List<Filter> none) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            for (int i = 0; i < none.size(); i++) {
                if (none.get(i).matches(bytes, document)) {
                    return false;
                }
            }
            return true;
        }
    }

    record Not(Filter filter) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return !filter.matches(bytes, document);
        }
    }

    /** One of the values at the path meets the condition; elements of an array at its end count as values. */
    record Field(DottedPath path, Condition condition) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return path.find(bytes, document, condition.searchesElements(), condition) != DottedPath.NOT_FOUND;
        }

        @Override
        public int matchedIndex(RawDocument document) {
            if (!(condition instanceof Condition.ElemMatch elemMatch)) {
                return path.find(document, condition.searchesElements(), condition);
            }
            int[] within = {DottedPath.WITHOUT_INDEX};
            ElementTest recording = (type, bytes, at) -> {
                int index = elemMatch.find(type, bytes, at);
                within[0] = index;
                return index >= 0;
            };
            int outer = path.find(document, false, recording);
            return outer == DottedPath.WITHOUT_INDEX ? within[0] : outer;
        }
    }

    /**
     * {@code $near} and {@code $nearSphere}: an order rather than a condition, so every document matches. An index finds
     * the documents that have a distance.
     */
    record Near(DottedPath path, NearQuery query) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return true;
        }
    }

    /** {@code $text}: only a text index answers it, and a plan that uses one has nothing left to ask of documents. */
    record Text(TextSearch search) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            throw TextPlacement.indexRequired();
        }
    }

    /** {@code $alwaysTrue}, {@code $alwaysFalse}, and what parsing found out to be the same as one of them. */
    record Always(boolean answer) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return answer;
        }
    }

    /** {@code $sampleRate}: each document with this probability. */
    record Sample(double rate, RandomGenerator random) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return random.nextDouble() < rate;
        }
    }

    /** {@code $where}: a JavaScript function that says yes to the document. */
    record Script(String code, Scripts scripts) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return scripts.test(code, RawDocument.view(bytes, document));
        }
    }

    /** {@code $expr}: an expression that is true of the document. */
    record Expr(Expression expression, Environment environment) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return Expressions.isTrue(expression, environment.on(RawDocument.view(bytes, document)));
        }
    }

    /** {@code $jsonSchema}. */
    record Schema(JsonSchema schema) implements Filter {
        @Override
        public boolean matches(byte[] bytes, int document) {
            return schema.allows(RawDocument.view(bytes, document));
        }
    }
}
