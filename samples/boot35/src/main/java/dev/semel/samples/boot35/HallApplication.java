package dev.semel.samples.boot35;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoTransactionManager;

/** A concert hall. */
@SpringBootApplication(proxyBeanMethods = false)
public class HallApplication {
    public static void main(String[] args) {
        SpringApplication.run(HallApplication.class, args);
    }

    /** Spring Data has transactions only where there is one of these. */
    @Bean
    MongoTransactionManager transactions(MongoDatabaseFactory databases) {
        return new MongoTransactionManager(databases);
    }
}
