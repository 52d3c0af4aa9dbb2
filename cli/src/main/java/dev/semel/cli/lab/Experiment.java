package dev.semel.cli.lab;

import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.AuditException;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoCollection;
import dev.semel.driver.setting.ConnectionString;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.bson.Document;

/** Strategies, a server in this process, and the audit between them. */
final class Experiment implements AutoCloseable {
    /** Drivers look at a server twice a second at most, so less would find none that has just come back. */
    private static final Duration SELECTION_TIMEOUT = Duration.ofMillis(1500);

    /** How long the one that never gives up is watched. */
    private static final Duration PATIENCE = Duration.ofMillis(4500);

    /** Those of the article. */
    static final List<Kind> FAULTS = List.of(Kind.TRANSIENT, Kind.OUTAGE, Kind.COMMAND_ERROR);

    private static final int CLEAN_RUNS = 50;

    /** More than processors: most of them wait for a server that does not come. */
    private static final int RUNS_AT_ONCE = 8;

    private final Server server;

    Experiment() throws IOException {
        server = Server.start(ServerOptions.memory());
        warmUp();
    }

    /** The first run of anything pays for the loading of its classes; it should not be a strategy's. */
    private void warmUp() {
        Strategies.all().forEach(this::cleanMedian);
    }

    private Duration cleanMedian(Strategy strategy) {
        String uri = server.connectionString().replace("/?", "/clean?");
        List<Duration> times = new ArrayList<>();
        try (var client = MongoClients.create(uri + strategy.options())) {
            for (int i = 0; i < CLEAN_RUNS; i++) {
                long began = System.nanoTime();
                strategy.work().run(client, days(client, uri), Strategies.DAY);
                times.add(Duration.ofNanos(System.nanoTime() - began));
            }
        }
        Collections.sort(times);
        return times.get(CLEAN_RUNS / 2);
    }

    Measured of(Strategy strategy) throws AuditException, InterruptedException {
        var report = Audit.of(uri -> run(strategy, uri))
                .named(strategy.name())
                .invariant(Experiment::counter)
                .target(server.connectionString())
                .faults(FAULTS.toArray(Kind[]::new))
                .selectionTimeout(SELECTION_TIMEOUT)
                .limit(PATIENCE)
                .parallel(RUNS_AT_ONCE)
                .withoutBackground()
                .run();
        return new Measured(strategy, cleanMedian(strategy), report);
    }

    private static void run(Strategy strategy, String uri) {
        try (var client = MongoClients.create(uri + strategy.options())) {
            strategy.work().run(client, days(client, uri), Strategies.DAY);
        }
    }

    private static long counter(String uri) {
        try (var client = MongoClients.create(uri)) {
            var days = days(client, uri);
            Strategies.cleanUp(days);
            var day = days.find(Strategies.DAY).first();
            return day == null ? 0 : day.getInteger("counter", 0);
        }
    }

    private static MongoCollection<Document> days(MongoClient client, String uri) {
        return client.getDatabase(Objects.requireNonNull(new ConnectionString(uri).getDatabase()))
                .getCollection("days");
    }

    @Override
    public void close() {
        server.close();
    }
}
