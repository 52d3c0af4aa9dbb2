package dev.semel.spring.boot4;

import com.mongodb.ConnectionString;
import dev.semel.server.Server;
import dev.semel.spring.SemelConnection;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;

/** Found by Spring Boot 4; has an effect only if a test has a server and no other bean defines the connection. */
@AutoConfiguration(before = MongoAutoConfiguration.class)
@ConditionalOnClass(MongoConnectionDetails.class)
@ConditionalOnBean(Server.class)
public final class SemelAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    static MongoConnectionDetails semelConnectionDetails(Server server) {
        var uri = new ConnectionString(SemelConnection.uri(server));
        return () -> uri;
    }
}
