package dev.semel.clients;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.SimpleMongoClientDatabaseFactory;
import org.springframework.data.mongodb.core.query.Criteria;
import org.springframework.data.mongodb.core.query.Query;
import org.springframework.data.mongodb.core.query.Update;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Services with {@code @Transactional} methods, as Spring Data runs them: committed, rolled back, retried. */
public final class SpringSession {
    private static final int THREADS = 4;
    private static final int TRANSFERS = 10;
    private static String uri = "mongodb://127.0.0.1:27017";

    private SpringSession() {}

    public record Account(@Id int id, long balance) {}

    @Configuration
    @EnableTransactionManagement
    public static class Wiring {
        @Bean
        MongoClient client() {
            return MongoClients.create(uri);
        }

        @Bean
        MongoDatabaseFactory databases(MongoClient client) {
            return new SimpleMongoClientDatabaseFactory(client, "clients_spring");
        }

        @Bean
        MongoTemplate template(MongoDatabaseFactory databases) {
            return new MongoTemplate(databases);
        }

        @Bean
        MongoTransactionManager transactions(MongoDatabaseFactory databases) {
            return new MongoTransactionManager(databases);
        }

        @Bean
        Bank bank(MongoTemplate template) {
            return new Bank(template);
        }
    }

    public static class Bank {
        private final MongoTemplate template;

        public Bank(MongoTemplate template) {
            this.template = template;
        }

        @Transactional
        public void transfer(int from, int to, long amount) {
            add(from, -amount);
            add(to, amount);
        }

        @Transactional
        public void fail(int from) {
            add(from, -1000);
            throw new IllegalStateException("changed my mind");
        }

        private void add(int account, long amount) {
            template.updateFirst(
                    Query.query(Criteria.where("_id").is(account)), new Update().inc("balance", amount), Account.class);
        }
    }

    public static void main(String[] arguments) throws Exception {
        uri = arguments[0];
        try (var context = new AnnotationConfigApplicationContext(Wiring.class)) {
            var template = context.getBean(MongoTemplate.class);
            template.dropCollection(Account.class);
            IntStream.range(0, 4).forEach(id -> template.insert(new Account(id, 100)));
            var bank = context.getBean(Bank.class);
            try {
                bank.fail(1);
                throw new AssertionError("the exception got lost");
            } catch (IllegalStateException expected) {
                require(template.findById(1, Account.class).balance() == 100, "the transaction was rolled back");
            }
            var threads = Executors.newFixedThreadPool(THREADS);
            try {
                var tasks = IntStream.range(0, THREADS)
                        .mapToObj(number -> (Callable<Integer>) () -> transfers(bank, number))
                        .toList();
                int conflicts = 0;
                for (var each : threads.invokeAll(tasks)) {
                    conflicts += each.get();
                }
                System.out.println("Spring Data: " + conflicts + " conflicts retried");
            } finally {
                threads.shutdown();
            }
            List<Account> accounts = template.findAll(Account.class);
            require(accounts.stream().mapToLong(Account::balance).sum() == 400, "money stays: " + accounts);
            template.dropCollection(Account.class);
        }
    }

    private static int transfers(Bank bank, int number) {
        int conflicts = 0;
        for (int i = 0; i < TRANSFERS; ) {
            try {
                bank.transfer((number + i) % 4, (number + i + 1) % 4, 5);
                i++;
            } catch (DataAccessException e) {
                // Spring leaves it to the application to start again.
                if (!(e.getCause() instanceof MongoException cause)
                        || !cause.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)) {
                    throw e;
                }
                conflicts++;
            }
        }
        return conflicts;
    }

    private static void require(boolean fact, String what) {
        if (!fact) {
            throw new AssertionError(what);
        }
    }
}
