package dev.semel.faults;

import dev.semel.golden.history.DriverClient;
import dev.semel.golden.history.DriverClient.Flavour;
import dev.semel.golden.history.HistoryCheck;
import dev.semel.golden.history.Workload.Client;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Transactions that append to lists and move money: snapshot isolation, and the sum of the money stays. */
final class Isolation implements Workload {
    private static final int CLIENTS = 4;

    private final dev.semel.golden.history.Workload workload = new dev.semel.golden.history.Workload();
    private final SplittableRandom random;
    private final AtomicLong begun = new AtomicLong();

    Isolation(long seed) {
        random = new SplittableRandom(seed);
    }

    private static Client client(Clients clients) {
        return new DriverClient(clients.official(), FaultySet.DATABASE, Flavour.SESSION);
    }

    @Override
    public int clients() {
        return 1;
    }

    @Override
    public void prepare(Clients clients) {
        DriverClient.prepare(clients.official(), FaultySet.DATABASE);
        try (Client own = client(clients)) {
            workload.prepare(own);
        }
    }

    @Override
    public void run(Clients clients, int number, BooleanSupplier isOver) throws InterruptedException {
        BooleanSupplier enough = () -> {
            begun.incrementAndGet();
            return isOver.getAsBoolean();
        };
        try {
            workload.run(CLIENTS, each -> client(clients), enough, random);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Override
    public List<String> wrong(Clients clients) {
        try (Client own = client(clients)) {
            List<String> wrong = new ArrayList<>(HistoryCheck.snapshotIsolated(workload.history(own)));
            wrong.addAll(workload.wrongSums(own));
            return wrong;
        }
    }

    @Override
    public long acknowledged() {
        return begun.get() - CLIENTS;
    }
}
