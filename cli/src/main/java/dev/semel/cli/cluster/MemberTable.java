package dev.semel.cli.cluster;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.error.MongoException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;

/** What each member says of itself, as a table. */
final class MemberTable implements AutoCloseable {
    private static final String OPTIONS =
            "/?directConnection=true&serverSelectionTimeoutMS=700&connectTimeoutMS=500&timeoutMS=700";

    private final LocalSet set;
    private final List<MongoClient> clients = new ArrayList<>();

    /** The processes that have answered. */
    private final Set<Long> known = new HashSet<>();

    MemberTable(LocalSet set) {
        this.set = set;
        set.addresses().forEach(each -> clients.add(MongoClients.create("mongodb://" + each + OPTIONS)));
    }

    /** @param lastWrite the epoch if it is not known */
    record Row(String role, long term, Instant lastWrite) {
        private static final String PRIMARY = "primary";
        private static final String SECONDARY = "secondary";

        static final Row SILENT = new Row("no answer", 0, Instant.EPOCH);
        static final Row STARTING = new Row("starting", 0, Instant.EPOCH);
        static final Row PAUSED = new Row("paused", 0, Instant.EPOCH);
        static final Row STOPPED = new Row("stopped", 0, Instant.EPOCH);

        /** Whether there is news; time passes in any case. */
        boolean says(Row before) {
            return !role.equals(before.role) || term != before.term;
        }

        boolean isPrimary() {
            return role.equals(PRIMARY);
        }

        boolean isSecondary() {
            return role.equals(SECONDARY);
        }
    }

    List<Row> rows() {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < clients.size(); i++) {
            rows.add(
                    switch (set.state(i)) {
                        case RUNNING -> ask(set.processId(i), clients.get(i));
                        case PAUSED -> Row.PAUSED;
                        case STOPPED -> Row.STOPPED;
                    });
        }
        return rows;
    }

    private Row ask(long process, MongoClient client) {
        var row = ask(client);
        if (!row.equals(Row.SILENT)) {
            known.add(process);
        }
        return known.contains(process) ? row : Row.STARTING;
    }

    /** For commands to one member. */
    MongoClient client(int member) {
        return clients.get(member);
    }

    /** A line for each member. The lag is in whole seconds, as members report it. */
    List<String> lines(List<Row> rows, Partition partition) {
        var newest = rows.stream().map(Row::lastWrite).max(Instant::compareTo).orElse(Instant.EPOCH);
        var lines = new ArrayList<String>();
        lines.add("  member  address            role       term  lag");
        for (int i = 0; i < rows.size(); i++) {
            var row = rows.get(i);
            var lag = row.lastWrite.equals(Instant.EPOCH)
                    ? "-"
                    : newest.getEpochSecond() - row.lastWrite.getEpochSecond() + " s";
            lines.add("  %-6d  %-17s  %-9s  %4s  %s%s"
                    .formatted(
                            i + 1,
                            set.addresses().get(i),
                            row.role,
                            row.term == 0 ? "-" : row.term,
                            lag,
                            partition.isCutOff(i) ? ", cut off" : ""));
        }
        return lines;
    }

    private static Row ask(MongoClient client) {
        try {
            var hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
            var lastWrite = hello.get("lastWrite", Document.class);
            var date = lastWrite.get("lastWriteDate", Date.class);
            return new Row(role(hello), lastWrite.get("opTime", Document.class).getLong("t"), date.toInstant());
        } catch (MongoException e) {
            return Row.SILENT;
        }
    }

    private static String role(Document hello) {
        if (hello.getBoolean("isWritablePrimary")) {
            return Row.PRIMARY;
        }
        if (!hello.containsKey("primary")) {
            return "no primary";
        }
        return hello.getBoolean("secondary") ? Row.SECONDARY : "syncing";
    }

    @Override
    public void close() {
        clients.forEach(MongoClient::close);
    }
}
