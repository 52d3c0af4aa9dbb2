package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.catalog.Catalog;
import dev.semel.server.catalog.Collection;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.status.ProcessInfo;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Table;
import dev.semel.store.Transactions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** {@code dbHash}: a number for the content of each collection of a database, for comparison with another server. */
final class DbHash implements Command<DbHash.Args> {
    private final Catalog catalog;
    private final Transactions transactions;
    private final ProcessInfo process;

    /** Only these collections; all if there are none. */
    record Args(Set<String> only) {}

    DbHash(Catalog catalog, Transactions transactions, ProcessInfo process) {
        this.catalog = catalog;
        this.transactions = transactions;
        this.process = process;
    }

    @Override
    public Spec spec() {
        return Spec.of("dbHash").alias("dbhash").needs(Rights.onDatabase(Action.dbHash));
    }

    @Override
    public Args parse(Arguments in) {
        Set<String> only = new HashSet<>();
        if (in.optional("collections") instanceof Value.Array(RawDocument names)) {
            for (Element name : names) {
                only.add(name.value() instanceof Value.Str(var text) ? text.toString() : "");
            }
        }
        return new Args(only);
    }

    @Override
    public Reply run(Args args, Call call) {
        Map<String, String> hashes = new TreeMap<>();
        List<Collection> hashed = new ArrayList<>();
        try (Snapshot snapshot = transactions.snapshot()) {
            call.saw(snapshot);
            for (Collection each : catalog.collections(call.database(), snapshot)) {
                String name = each.namespace().collection();
                if (each.view() == null && (args.only().isEmpty() || args.only().contains(name))) {
                    hashes.put(name, hash(each, snapshot, call));
                    hashed.add(each);
                }
            }
        }
        BsonWriter reply = new BsonWriter().put("host", process.host()).startDocument("collections");
        hashes.forEach(reply::put);
        reply.end().startArray("capped");
        hashed.stream()
                .filter(each -> each.order() != null)
                .forEach(each -> reply.add(each.namespace().collection()));
        reply.end().startDocument("uuids");
        hashed.forEach(each -> reply.put(each.namespace().collection(), each.uuidValue()));
        MessageDigest all = md5();
        hashes.values().forEach(each -> all.update(each.getBytes(StandardCharsets.US_ASCII)));
        return Reply.of(reply.end()
                .put("md5", HexFormat.of().formatHex(all.digest()))
                .put("timeMillis", TimeUnit.NANOSECONDS.toMillis(call.elapsedNanos())));
    }

    /** Over the documents as they are, in the order of {@code _id}. */
    private static String hash(Collection collection, Snapshot snapshot, Call call) {
        MessageDigest digest = md5();
        try (Scan scan = snapshot.scan(Table.DOCUMENTS, collection.documents(), false)) {
            while (scan.next()) {
                call.interruption().check();
                digest.update(scan.value());
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest md5() {
        try {
            return MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }
}
