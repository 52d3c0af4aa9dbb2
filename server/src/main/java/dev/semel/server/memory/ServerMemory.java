package dev.semel.server.memory;

import dev.semel.server.settings.MemorySettings;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.memory.LargeValues;
import dev.semel.wire.memory.MemoryAccount;
import dev.semel.wire.memory.MemoryPart;
import java.util.function.LongSupplier;

/**
 * The account, and the parts of it that the server itself draws from. Those of the store are made by the store.
 *
 * @param requests what is being received, or is being worked on
 * @param replies what is being built, or waits for its client to read it
 * @param cursors what idle cursors keep
 * @param catalog collections and indexes
 * @param plans the plan cache
 * @param queries documents collected by sorts, groups and the like
 * @param largeValues documents of more than a megabyte that statements work on
 * @param replyStallMs for how long a client may take nothing of its reply while memory for replies is short
 * @param requestArrivalMs for how long a request may be arriving while memory for requests is short
 */
public record ServerMemory(
        MemoryAccount account,
        MemoryPart requests,
        MemoryPart replies,
        MemoryPart cursors,
        MemoryPart catalog,
        MemoryPart plans,
        MemoryPart queries,
        LargeValues largeValues,
        LongSupplier replyStallMs,
        LongSupplier requestArrivalMs) {

    public static ServerMemory of(MemorySettings settings) {
        MemoryAccount account = new MemoryAccount(settings.accountBytesMax.name(), settings.accountBytesMax.value());
        return new ServerMemory(
                account,
                account.part("requests", settings.requestBytesTotalMax.name(), settings.requestBytesTotalMax::value),
                account.part("replies", settings.replyBytesTotalMax.name(), settings.replyBytesTotalMax::value),
                account.part("cursors", settings.cursorBytesTotalMax.name(), settings.cursorBytesTotalMax::value),
                account.part("catalog", settings.catalogBytesMax.name(), settings.catalogBytesMax::value),
                account.part("plans", settings.planCacheBytesMax.name(), settings.planCacheBytesMax::value),
                account.part("queries", settings.queryBytesTotalMax.name(), settings.queryBytesTotalMax::value),
                new LargeValues(account.part(
                        "largeValues",
                        settings.largeValueBytesTotalMax.name(),
                        settings.largeValueBytesTotalMax::value)),
                settings.replyStallMs::value,
                settings.requestArrivalMs::value);
    }

    /** For {@code serverStatus}. */
    public void describe(BsonWriter out) {
        out.put("used", account.bytes()).put("limit", account.bytesMax()).put("parameter", account.parameter());
        out.startDocument("parts");
        for (MemoryPart part : account.parts()) {
            out.startDocument(part.name())
                    .put("used", part.bytes())
                    .put("peak", part.peakBytes())
                    .put("limit", part.bytesMax())
                    .put("parameter", part.parameter())
                    .put("refused", part.refusals())
                    .put("waited", part.waits())
                    .end();
        }
        for (MemoryAccount.Gauge gauge : account.gauges()) {
            out.startDocument(gauge.name())
                    .put("used", gauge.bytes().getAsLong())
                    .put("limit", gauge.bytesMax().getAsLong())
                    .put("parameter", gauge.parameter())
                    .end();
        }
        out.end();
    }
}
