package dev.semel.query.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.query.Shorthand;
import dev.semel.query.Values;
import dev.semel.query.filter.FilterScope;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A pipeline gives the same documents in the same order, optimized or not. */
final class OptimizerPropertyTest {
    private static final List<String> STAGES = List.of(
            "{$match: {a: 1}}",
            "{$match: {a: {$gt: 0}, b: {$exists: true}}}",
            "{$match: {$or: [{b: 1}, {c: null}]}}",
            "{$match: {'b.a': {$ne: 1}, c: {$type: 'array'}}}",
            "{$match: {'r.v': {$gte: 2}, a: {$exists: true}}}",
            "{$match: {$nor: [{b: {$in: [1, null]}}, {'c.0': 1}]}}",
            "{$match: {i: 1}}",
            "{$project: {b: '$a', c: 1}}",
            "{$project: {a: 0}}",
            "{$project: {a: 1, 'c.a': 1, z: {$add: [1, 2]}}}",
            "{$set: {b: '$a', a: '$c'}}",
            "{$set: {b: '$a.b'}}",
            "{$set: {'c.b': '$a'}}",
            "{$unset: ['b', 'c.a']}",
            "{$unwind: '$a'}",
            "{$unwind: {path: '$c', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i'}}",
            "{$sort: {a: 1, _id: 1}}",
            "{$sort: {c: -1, _id: 1}}",
            "{$limit: 4}",
            "{$skip: 1}",
            "{$replaceWith: {$mergeObjects: [{a: 7}, '$$ROOT']}}",
            "{$lookup: {from: 'o', localField: 'a', foreignField: 'k', as: 'r'}}",
            "{$lookup: {from: 'o', let: {x: '$a'}, pipeline: [{$match: {$expr: {$eq: ['$k', '$$x']}}}], as: 'r'}}",
            "{$unwind: '$r'}",
            "{$unwind: {path: '$r', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i'}}",
            "{$set: {l: {$let: {vars: {x: '$b'}, in: '$$x'}}}}",
            "{$setWindowFields: {partitionBy: '$_id', sortBy: {_id: 1}, output: {w: {$push: '$b'}}}}");

    /** The documents of the other collection, whatever its name. */
    private record Collection(List<RawDocument> documents) implements Others {
        @Override
        public Base base(String name) {
            return new Base(name, List.of());
        }

        @Override
        public Source open(
                String collection, Pipeline pipeline, boolean allowDiskUse, @Nullable ReadStatistics statistics) {
            return pipeline.open(Source.of(documents), allowDiskUse);
        }
    }

    @Test
    void resultsAreTheSame() {
        Seeds.check(3_000, random -> {
            Values values = new Values(random);
            List<RawDocument> documents = documents(values, random.nextInt(12));
            Collection others = new Collection(List.of(
                    Shorthand.document("{_id: 1, k: 1, v: 1}"),
                    Shorthand.document("{_id: 2, k: 1, v: 2}"),
                    Shorthand.document("{_id: 3, k: null, v: 3}"),
                    Shorthand.document("{_id: 4, k: [1, 2], v: 4}")));
            List<RawDocument> stages = stages(random);
            FilterScope scope = Shorthand.scope();
            Pipeline plain = new Pipeline(Pipelines.stages(stages, scope, others), scope.environment());
            String expected = run(plain, documents);
            // What fails may fail at another document, or not at all if the document is not wanted.
            if (!expected.startsWith("error")) {
                assertThat(run(Pipelines.parse(stages, scope, others), documents))
                        .as("%s of %s", stages, documents)
                        .isEqualTo(expected);
            }
        });
    }

    private static List<RawDocument> documents(Values values, int count) {
        List<RawDocument> documents = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            BsonWriter document = new BsonWriter().put("_id", i);
            values.document(2).forEach(each -> document.put(each.name(), each.value()));
            documents.add(document.finish());
        }
        return documents;
    }

    private static List<RawDocument> stages(Random random) {
        List<RawDocument> stages = new ArrayList<>();
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < count; i++) {
            stages.add(Shorthand.document(STAGES.get(random.nextInt(STAGES.size()))));
        }
        return stages;
    }

    private static String run(Pipeline pipeline, List<RawDocument> documents) {
        BsonWriter results = new BsonWriter();
        try (Source source = pipeline.open(Source.of(documents), true)) {
            for (RawDocument next = source.next(); next != null; next = source.next()) {
                results.add(Value.of(next));
            }
        } catch (CommandException e) {
            return "error " + e.code();
        }
        return results.finishArray().toString();
    }
}
