package dev.semel.samples.boot35;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.ConnectionString;
import com.mongodb.client.MongoClient;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.mongo.MongoConnectionDetails;
import org.springframework.boot.test.autoconfigure.data.mongo.DataMongoTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

/** A test that says itself where its database is, as a container would, does not get Semel. */
@DataMongoTest
class OtherDatabaseTest {
    @TestConfiguration(proxyBeanMethods = false)
    static class Elsewhere {
        @Bean
        MongoConnectionDetails elsewhere() {
            return () -> new ConnectionString("mongodb://elsewhere.example/?directConnection=true");
        }
    }

    @Test
    void testsOwnDetailsAreTaken(@Autowired MongoClient client) {
        assertThat(client.getClusterDescription().getClusterSettings().getHosts())
                .singleElement()
                .satisfies(each -> assertThat(each.getHost()).isEqualTo("elsewhere.example"));
    }
}
