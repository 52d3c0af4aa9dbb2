package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.semel.server.Server;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A context as an application has it, whose client takes its address from the property. */
@SpringJUnitConfig
class SpringTestTest {
    @Configuration
    static class Application {
        @Bean(destroyMethod = "close")
        MongoClient client(@Value("${spring.data.mongodb.uri}") String uri) {
            return MongoClients.create(uri);
        }
    }

    @Test
    void applicationsClientHasTransactions(@Autowired MongoClient client) {
        var collection = client.getDatabase("test").getCollection("c");
        try (var session = client.startSession()) {
            session.withTransaction(() -> collection.insertOne(session, new Document("_id", 1)));
        }
        assertThat(collection.countDocuments()).isEqualTo(1);
    }

    @Test
    void bothPropertiesNameTheContextsServer(
            @Autowired Server server,
            @Value("${spring.data.mongodb.uri}") String boot3,
            @Value("${spring.mongodb.uri}") String boot4) {
        assertThat(boot3).isEqualTo(boot4).contains(server.address()).contains("/test?");
    }
}
