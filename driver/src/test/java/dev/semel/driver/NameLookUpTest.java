package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.setting.ConnectionString;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;

/** A name service that does not answer must not keep a thread that is interrupted, or out of time. */
class NameLookUpTest {
    /** Behind a load balancer nobody but the operation itself opens connections. */
    private static MongoClient behind(String name, String options) {
        return MongoClients.create("mongodb://" + name + "/?loadBalanced=true" + options);
    }

    private static void insert(MongoClient client) {
        client.getDatabase("db").getCollection("c").insertOne(new Document());
    }

    @Test
    void operationThatOpensConnectionCanBeInterrupted() throws Exception {
        String name = "interrupted" + HangingNames.SUFFIX;
        try (MongoClient client = behind(name, "&connectTimeoutMS=0")) {
            var inserted = new FutureTask<>(() -> insert(client), true);
            Thread thread = Thread.ofVirtual().start(inserted);
            Await.until(() -> HangingNames.isAsked(name));
            thread.interrupt();
            assertThatThrownBy(() -> inserted.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(MongoInterruptedException.class);
        }
    }

    @Test
    void timeoutIncludesTheLookUp() {
        try (MongoClient client = behind("timeout" + HangingNames.SUFFIX, "&timeoutMS=200")) {
            assertThatThrownBy(() -> insert(client))
                    .isInstanceOf(MongoOperationTimeoutException.class)
                    .hasStackTraceContaining("timeout.hangs.invalid: no answer within ");
        }
    }

    @Test
    void connectTimeoutIncludesTheLookUp() {
        try (MongoClient client = behind("connect" + HangingNames.SUFFIX, "&connectTimeoutMS=50&retryWrites=false")) {
            assertThatThrownBy(() -> insert(client)).hasMessageContaining("connect.hangs.invalid: no answer within ");
        }
    }

    @Test
    void makingClientFromSeedListCanBeInterrupted() throws Exception {
        var isAsked = new CountDownLatch(1);
        var never = new CompletableFuture<List<String>>();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString("mongodb+srv://a.example.com/"))
                .dnsClient((name, type) -> {
                    isAsked.countDown();
                    return never.join();
                })
                .build();
        var made = new FutureTask<>(() -> MongoClients.create(settings));
        Thread thread = Thread.ofVirtual().start(made);
        assertThat(isAsked.await(10, TimeUnit.SECONDS)).isTrue();
        thread.interrupt();
        assertThatThrownBy(() -> made.get(10, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(MongoInterruptedException.class);
    }
}
