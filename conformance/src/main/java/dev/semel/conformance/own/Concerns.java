package dev.semel.conformance.own;

import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.setting.ReadConcern;
import dev.semel.driver.setting.ReadPreference;
import dev.semel.driver.setting.TransactionOptions;
import dev.semel.driver.setting.WriteConcern;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
                case "wtimeoutMS", "wtimeout" -> result.withWTimeout(Values.millis(each.getValue()));
                default -> throw new Unsupported("writeConcern." + each.getKey());
            };
        }
        return result;
    }

    static ReadConcern readConcern(BsonValue value) {
        BsonDocument document = value.asDocument();
        return document.isEmpty()
                ? ReadConcern.DEFAULT
                : new ReadConcern(document.getString("level").getValue());
    }

    static ReadPreference readPreference(BsonValue value) {
        BsonDocument document = value.asDocument();
        List<Map<String, String>> tagSets = new ArrayList<>();
        for (BsonValue each : document.getArray("tagSets", new BsonArray())) {
            var tags = new java.util.HashMap<String, String>();
            each.asDocument().forEach((k, v) -> tags.put(k, Values.string(v)));
            tagSets.add(tags);
        }
        var mode =
                ReadPreference.Mode.named(document.getString("mode").getValue()).orElseThrow();
        BsonValue staleness = document.get("maxStalenessSeconds");
        return new ReadPreference(
                mode, tagSets, staleness == null ? null : Duration.ofSeconds(Values.longNumber(staleness)));
    }

    static TransactionOptions transactionOptions(BsonDocument options) {
        TransactionOptions result = TransactionOptions.DEFAULT;
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            result = switch (each.getKey()) {
                case "readConcern" -> result.withReadConcern(readConcern(value));
                case "writeConcern" -> result.withWriteConcern(writeConcern(value));
                case "readPreference" -> result.withReadPreference(readPreference(value));
                case "maxCommitTimeMS" -> result.withMaxCommitTime(Values.millis(value));
                case "timeoutMS" -> result.withTimeout(Values.millis(value));
                default -> throw new Unsupported("transactionOptions." + each.getKey());
            };
        }
        return result;
    }
}
