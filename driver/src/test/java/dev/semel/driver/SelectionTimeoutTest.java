package dev.semel.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.driver.error.MongoOperationTimeoutException;
import dev.semel.driver.error.MongoTimeoutException;
import dev.semel.driver.setting.ConnectionString;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which timeout ends the search for a server: CSOTP-8.1, CSOTP-8.2, CSOTP-8.3, CSOTP-8.4. */
class SelectionTimeoutTest {
    @ParameterizedTest
    @CsvSource({
        "serverSelectionTimeoutMS=10, false",
        "timeoutMS=10&serverSelectionTimeoutMS=30000, true",
        "serverSelectionTimeoutMS=10&timeoutMS=30000, false",
        "timeoutMS=0&serverSelectionTimeoutMS=10, false"
    })
    void shorterTimeoutEndsTheSearch(String options, boolean isOfOperation) {
        var uri = new ConnectionString("mongodb://nowhere.invalid/?" + options);
        try (var client = MongoClients.create(
                MongoClientSettings.builder().applyConnectionString(uri).build())) {
            var failure = catchThrowableOfType(
                    MongoTimeoutException.class,
                    () -> client.getDatabase("db").getCollection("c").find().first());
            assertThat(failure instanceof MongoOperationTimeoutException).isEqualTo(isOfOperation);
            assertThat(client.retryStatistics().retries()).isZero();
        }
    }
}
