package dev.semel.samples.boot4;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.messaging.DefaultMessageListenerContainer;
import org.springframework.data.mongodb.core.messaging.MessageListenerContainer;

/** A store that orders again what runs out. */
@SpringBootApplication(proxyBeanMethods = false)
public class StoreApplication {
    public static void main(String[] args) {
        SpringApplication.run(StoreApplication.class, args);
    }

    /** Spring Data has transactions only where there is one of these. */
    @Bean
    MongoTransactionManager transactions(MongoDatabaseFactory databases) {
        return new MongoTransactionManager(databases);
    }

    /** Follows change streams while the application runs. */
    @Bean
    MessageListenerContainer listeners(MongoTemplate template) {
        return new DefaultMessageListenerContainer(template);
    }
}
