package dev.semel.golden.history;

import dev.semel.golden.history.Trace.History;
import dev.semel.golden.history.Trace.Outcome;
import dev.semel.golden.history.Trace.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import java.util.random.RandomGenerator.SplittableGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Many clients that append to lists, read groups of lists, move money between accounts and count it. There are few lists and
 * accounts, so that the transactions meet.
 */
public final class Workload {
    private static final int GROUPS = 3;
    private static final int LISTS_PER_GROUP = 2;
    private static final int ACCOUNTS = 6;
    private static final long MONEY = 100;

    private final AtomicInteger elements = new AtomicInteger();
    private final List<Trace> traces = Collections.synchronizedList(new ArrayList<>());
    private final List<String> wrongSums = Collections.synchronizedList(new ArrayList<>());

    /** One client, for one thread. */
    public interface Client extends AutoCloseable {
        void begin();

        /** The lists of a group by name; those that have not been written are missing. */
        Map<String, List<Integer>> read(String group);

        void append(String group, String list, int element);

        /** The money of every account. */
        List<Long> balances();

        long balance(int account);

        void balance(int account, long balance);

        void commit();

        /** After a commit that ended in {@link Doubt}: whether it happened, or null if that cannot be known. */
        @Nullable
        Boolean settle();

        /** Goes well even if there is nothing to abort. */
        void abort();

        @Override
        void close();
    }

    /** The transaction is over and has left nothing. */
    public static final class Aborted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Aborted(Throwable cause) {
            super(cause);
        }
    }

    /** The transaction may have been committed. */
    public static final class Doubt extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public Doubt(Throwable cause) {
            super(cause);
        }
    }

    /** Accounts with money on them. */
    public void prepare(Client client) {
        client.begin();
        for (int account = 0; account < ACCOUNTS; account++) {
            client.balance(account, MONEY);
        }
        client.commit();
    }

    /** Runs so many clients at once, each until it is told to stop, with the number of its transactions. */
    public void run(int count, IntFunction<Client> clients, BooleanSupplier enough, SplittableGenerator random)
            throws InterruptedException, ExecutionException {
        try (var threads = Executors.newFixedThreadPool(count)) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                RandomGenerator own = random.split();
                running.add(threads.submit(() -> {
                    try (Client client = clients.apply(number)) {
                        for (int n = 0; !enough.getAsBoolean(); n++) {
                            transaction(client, number, n, own);
                        }
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    /** What has happened so far, with the lists as they are now. */
    public History history(Client client) {
        Map<String, List<Integer>> lists = new HashMap<>();
        for (int group = 0; group < GROUPS; group++) {
            lists.putAll(client.read(group(group)));
        }
        return new History(List.copyOf(traces), lists);
    }

    /** Sums of money that a transaction has read, or that are there now, and that differ from the sum at the beginning. */
    public List<String> wrongSums(Client client) {
        count(client.balances(), "at the end");
        return List.copyOf(wrongSums);
    }

    private void count(List<Long> balances, String where) {
        long sum = balances.stream().mapToLong(Long::longValue).sum();
        if (sum != ACCOUNTS * MONEY) {
            wrongSums.add(sum + " in " + balances + " " + where);
        }
    }

    // ---- one transaction

    private void transaction(Client client, int number, int n, RandomGenerator random) {
        List<Step> steps = new ArrayList<>();
        List<List<Long>> counted = new ArrayList<>();
        Outcome outcome;
        try {
            client.begin();
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3, 4, 5 -> lists(client, steps, random);
                case 6, 7, 8 -> transfer(client, random);
                default -> counted.add(client.balances());
            }
            outcome = commit(client);
        } catch (Aborted e) {
            client.abort();
            outcome = Outcome.ABORTED;
        }
        if (outcome == Outcome.COMMITTED) {
            counted.forEach(each -> count(each, "in a transaction of client " + number));
        }
        if (!steps.isEmpty()) {
            traces.add(new Trace(number, n, steps, outcome));
        }
    }

    private static Outcome commit(Client client) {
        try {
            client.commit();
            return Outcome.COMMITTED;
        } catch (Doubt e) {
            Boolean settled = client.settle();
            if (settled == null) {
                return Outcome.UNKNOWN;
            }
            return settled ? Outcome.COMMITTED : Outcome.ABORTED;
        }
    }

    private void lists(Client client, List<Step> steps, RandomGenerator random) {
        int count = random.nextInt(2, 5);
        for (int i = 0; i < count; i++) {
            String group = group(random.nextInt(GROUPS));
            if (random.nextInt(5) < 3) {
                read(client, group, steps);
            } else {
                String list = group + random.nextInt(LISTS_PER_GROUP);
                int element = elements.incrementAndGet();
                steps.add(new Step.Append(list, element));
                client.append(group, list, element);
            }
        }
    }

    private static void read(Client client, String group, List<Step> steps) {
        Map<String, List<Integer>> found = client.read(group);
        for (int i = 0; i < LISTS_PER_GROUP; i++) {
            String list = group + i;
            steps.add(new Step.Read(list, found.getOrDefault(list, List.of())));
        }
    }

    private static void transfer(Client client, RandomGenerator random) {
        int from = random.nextInt(ACCOUNTS);
        int to = (from + random.nextInt(1, ACCOUNTS)) % ACCOUNTS;
        long amount = random.nextInt(1, 10);
        long has = client.balance(from);
        long had = client.balance(to);
        client.balance(from, has - amount);
        client.balance(to, had + amount);
    }

    private static String group(int number) {
        return String.valueOf((char) ('a' + number));
    }
}
