package dev.semel.conformance.official;

import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Unsupported;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** From BSON to the driver's own values, and back. */
final class Values {
    private Values() {}

    static boolean bool(BsonValue value) {
        return value.asBoolean().getValue();
    }

    static int number(BsonValue value) {
        return value.asNumber().intValue();
    }

    static long longNumber(BsonValue value) {
        return value.asNumber().longValue();
    }

    static String string(BsonValue value) {
        return value.asString().getValue();
    }

    static List<BsonDocument> documents(BsonValue array) {
        return array.asArray().stream().map(BsonValue::asDocument).toList();
    }

    static Driven.Outcome result(@Nullable BsonValue value) {
        return value == null ? Driven.Outcome.NONE : new Driven.Result(value);
    }

    static Driven.Outcome count(long value) {
        return new Driven.Result(new BsonInt64(value));
    }

    static Driven.Outcome all(Iterable<BsonDocument> documents) {
        BsonArray array = new BsonArray();
        documents.forEach(array::add);
        return new Driven.Result(array);
    }

    static Driven.Outcome strings(Iterable<String> names) {
        BsonArray array = new BsonArray();
        names.forEach(each -> array.add(new BsonString(each)));
        return new Driven.Result(array);
    }

    static BsonValue orNull(@Nullable BsonValue value) {
        return value == null ? BsonNull.VALUE : value;
    }

    static WriteConcern writeConcern(BsonValue value) {
        BsonDocument document = value.asDocument();
        WriteConcern result = WriteConcern.ACKNOWLEDGED;
        for (var each : document.entrySet()) {
            result = switch (each.getKey()) {
                case "w" ->
                    each.getValue().isString()
                            ? result.withW(string(each.getValue()))
                            : result.withW(number(each.getValue()));
                case "journal", "j" -> result.withJournal(bool(each.getValue()));
                case "wtimeoutMS", "wtimeout" ->
                    result.withWTimeout(longNumber(each.getValue()), TimeUnit.MILLISECONDS);
                default -> throw new Unsupported("writeConcern." + each.getKey());
            };
        }
        return result;
    }

    static ReadConcern readConcern(BsonValue value) {
        BsonDocument document = value.asDocument();
        return document.isEmpty()
                ? ReadConcern.DEFAULT
                : new ReadConcern(
                        ReadConcernLevel.fromString(document.getString("level").getValue()));
    }

    static ReadPreference readPreference(BsonValue value) {
        BsonDocument document = value.asDocument();
        List<TagSet> tagSets = new ArrayList<>();
        for (BsonValue each : document.getArray("tagSets", new BsonArray())) {
            tagSets.add(new TagSet(each.asDocument().entrySet().stream()
                    .map(tag -> new Tag(tag.getKey(), string(tag.getValue())))
                    .toList()));
        }
        String mode = document.getString("mode").getValue();
        BsonValue staleness = document.get("maxStalenessSeconds");
        if (staleness != null) {
            return ReadPreference.valueOf(mode, tagSets, longNumber(staleness), TimeUnit.SECONDS);
        }
        return tagSets.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, tagSets);
    }

    static Collation collation(BsonValue value) {
        Collation.Builder builder = Collation.builder();
        value.asDocument().forEach((name, each) -> {
            switch (name) {
                case "locale" -> builder.locale(string(each));
                case "strength" -> builder.collationStrength(CollationStrength.fromInt(number(each)));
                case "caseLevel" -> builder.caseLevel(bool(each));
                case "numericOrdering" -> builder.numericOrdering(bool(each));
                default -> throw new Unsupported("collation." + name);
            }
        });
        return builder.build();
    }

    static TransactionOptions transactionOptions(BsonDocument options) {
        TransactionOptions.Builder builder = TransactionOptions.builder();
        options.forEach((name, value) -> {
            switch (name) {
                case "readConcern" -> builder.readConcern(readConcern(value));
                case "writeConcern" -> builder.writeConcern(writeConcern(value));
                case "readPreference" -> builder.readPreference(readPreference(value));
                case "maxCommitTimeMS" -> builder.maxCommitTime(longNumber(value), TimeUnit.MILLISECONDS);
                case "timeoutMS" -> builder.timeout(longNumber(value), TimeUnit.MILLISECONDS);
                default -> throw new Unsupported("transactionOptions." + name);
            }
        });
        return builder.build();
    }
}
