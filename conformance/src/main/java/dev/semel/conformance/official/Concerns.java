package dev.semel.conformance.official;

import com.mongodb.ReadConcern;
import com.mongodb.ReadConcernLevel;
import com.mongodb.ReadPreference;
import com.mongodb.Tag;
import com.mongodb.TagSet;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;

/** Concerns, preferences and transaction options as the driver has them. */
final class Concerns {
    private Concerns() {}

    static WriteConcern writeConcern(BsonValue value) {
        BsonDocument document = value.asDocument();
        WriteConcern result = WriteConcern.ACKNOWLEDGED;
        for (var each : document.entrySet()) {
            result = switch (each.getKey()) {
                case "w" ->
                    each.getValue().isString()
                            ? result.withW(Values.string(each.getValue()))
                            : result.withW(Values.number(each.getValue()));
                case "journal", "j" -> result.withJournal(Values.bool(each.getValue()));
                case "wtimeoutMS", "wtimeout" ->
                    result.withWTimeout(Values.longNumber(each.getValue()), TimeUnit.MILLISECONDS);
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
                    .map(tag -> new Tag(tag.getKey(), Values.string(tag.getValue())))
                    .toList()));
        }
        String mode = document.getString("mode").getValue();
        BsonValue staleness = document.get("maxStalenessSeconds");
        if (staleness != null) {
            return ReadPreference.valueOf(mode, tagSets, Values.longNumber(staleness), TimeUnit.SECONDS);
        }
        return tagSets.isEmpty() ? ReadPreference.valueOf(mode) : ReadPreference.valueOf(mode, tagSets);
    }

    static TransactionOptions transactionOptions(BsonDocument options) {
        TransactionOptions.Builder builder = TransactionOptions.builder();
        options.forEach((name, value) -> {
            switch (name) {
                case "readConcern" -> builder.readConcern(readConcern(value));
                case "writeConcern" -> builder.writeConcern(writeConcern(value));
                case "readPreference" -> builder.readPreference(readPreference(value));
                case "maxCommitTimeMS" -> builder.maxCommitTime(Values.longNumber(value), TimeUnit.MILLISECONDS);
                case "timeoutMS" -> builder.timeout(Values.longNumber(value), TimeUnit.MILLISECONDS);
                default -> throw new Unsupported("transactionOptions." + name);
            }
        });
        return builder.build();
    }
}
