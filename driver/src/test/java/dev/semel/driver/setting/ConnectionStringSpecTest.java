package dev.semel.driver.setting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.semel.driver.spec.SpecTests;
import dev.semel.wire.message.Compressor;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The published cases of connection strings: what is valid, what is warned of, what each option means. */
class ConnectionStringSpecTest {
    @TestFactory
    Stream<DynamicTest> options() {
        return cases("uri-options");
    }

    @TestFactory
    Stream<DynamicTest> connectionStrings() {
        return cases("connection-string");
    }

    private static Stream<DynamicTest> cases(String suite) {
        return SpecTests.in(suite).stream()
                .flatMap(file -> file.content().getArray("tests").stream()
                        .map(BsonValue::asDocument)
                        .map(each -> dynamicTest(
                                file + ": " + each.getString("description").getValue(), () -> run(each))));
    }

    private static void run(BsonDocument test) {
        String uri = test.getString("uri").getValue();
        if (!test.getBoolean("valid").getValue()) {
            assertThatIllegalArgumentException().isThrownBy(() -> new ConnectionString(uri));
            return;
        }
        var string = new ConnectionString(uri);
        assertThat(!string.warnings().isEmpty())
                .as("warnings: %s", string.warnings())
                .isEqualTo(test.getBoolean("warning", BsonBoolean.FALSE).getValue());
        if (test.isArray("hosts")) {
            assertThat(string.hosts()).isEqualTo(hosts(test.getArray("hosts")));
        }
        if (test.isDocument("auth")) {
            checkCredential(string, test.getDocument("auth"));
        }
        if (test.isDocument("options")) {
            test.getDocument("options").forEach((name, value) -> {
                UriOption option = UriOption.named(name);
                assertThat(option).as(name).isNotNull();
                if (option != null) {
                    assertThat(plain(String.valueOf(name), string.option(option)))
                            .as(name)
                            .isEqualTo(value);
                }
            });
        }
    }

    private static List<ServerAddress> hosts(BsonArray hosts) {
        return hosts.stream()
                .map(BsonValue::asDocument)
                .map(each -> new ServerAddress(
                        each.getString("host").getValue(),
                        each.isNumber("port") ? each.getNumber("port").intValue() : defaultPort(each)))
                .toList();
    }

    private static int defaultPort(BsonDocument host) {
        return host.getString("host").getValue().endsWith(".sock") ? 0 : ServerAddress.DEFAULT_PORT;
    }

    private static void checkCredential(ConnectionString string, BsonDocument expected) {
        var credential = string.getCredential();
        if (expected.isString("username")) {
            assertThat(credential).isNotNull();
            if (credential != null) {
                assertThat(credential.userName())
                        .isEqualTo(expected.getString("username").getValue());
                assertThat(credential.password())
                        .isEqualTo(
                                expected.isString("password")
                                        ? expected.getString("password").getValue()
                                        : null);
            }
        }
        assertThat(string.getDatabase())
                .isEqualTo(expected.isString("db") ? expected.getString("db").getValue() : null);
    }

    private static BsonValue plain(String name, @Nullable Object value) {
        return switch (value) {
            case null -> BsonNull.VALUE;
            case Boolean flag -> BsonBoolean.valueOf(flag);
            case Integer number -> new BsonInt32(number);
            case WriteConcern.W.Members members -> new BsonInt32(members.count());
            case WriteConcern.W.Mode mode -> new BsonString(mode.name());
            case ReadPreference.Mode mode -> new BsonString(mode.label());
            case AuthenticationMechanism mechanism -> new BsonString(mechanism.label());
            case ServerMonitoringMode mode -> new BsonString(mode.name().toLowerCase(Locale.ROOT));
            case Compressor compressor -> new BsonString(compressor.label());
            case Map<?, ?> map -> {
                var document = new BsonDocument();
                map.forEach((key, each) -> document.append(key.toString(), plain(name, each)));
                yield document;
            }
            case List<?> list ->
                new BsonArray(list.stream().map(each -> plain(name, each)).toList());
            default -> new BsonString(value.toString());
        };
    }

    @TestFactory
    Stream<DynamicTest> credentials() {
        return SpecTests.in("auth/legacy").stream()
                .flatMap(file -> file.content().getArray("tests").stream()
                        .map(BsonValue::asDocument)
                        .map(each -> dynamicTest(each.getString("description").getValue(), () -> runCredential(each))));
    }

    private static void runCredential(BsonDocument test) {
        String uri = test.getString("uri").getValue();
        assumeThat(uri)
                .as("another case of the same file wants a user name and a password to be valid for this mechanism")
                .isNotEqualTo("mongodb://user:pass@localhost.com/?authMechanism=MONGODB-AWS");
        if (!test.getBoolean("valid").getValue()) {
            assertThatIllegalArgumentException().isThrownBy(() -> new ConnectionString(uri));
            return;
        }
        var credential = new ConnectionString(uri).getCredential();
        if (!test.isDocument("credential")) {
            assertThat(credential).isNull();
            return;
        }
        BsonDocument expected = test.getDocument("credential");
        assertThat(credential).isNotNull();
        if (credential == null) {
            return;
        }
        var mechanism = credential.mechanism();
        var properties = new BsonDocument();
        credential.properties().forEach((name, value) -> properties.append(name, new BsonString(value)));
        assertThat(new BsonDocument("username", string(credential.userName()))
                        .append("password", string(credential.password()))
                        .append("source", string(credential.source()))
                        .append("mechanism", string(mechanism == null ? null : mechanism.label()))
                        .append("mechanism_properties", properties.isEmpty() ? BsonNull.VALUE : properties))
                .isEqualTo(expected);
    }

    private static BsonValue string(@Nullable String text) {
        return text == null ? BsonNull.VALUE : new BsonString(text);
    }

    @TestFactory
    Stream<DynamicTest> concerns() {
        return SpecTests.in("read-write-concern/connection-string").stream()
                .flatMap(file -> file.content().getArray("tests").stream()
                        .map(BsonValue::asDocument)
                        .map(each -> dynamicTest(each.getString("description").getValue(), () -> runConcern(each))));
    }

    private static void runConcern(BsonDocument test) {
        String uri = test.getString("uri").getValue();
        if (!test.getBoolean("valid").getValue()) {
            // A negative wTimeoutMS is an error here and a warning in uri-options, the newer text; it is a warning.
            if (uri.contains("wtimeoutMS=-")) {
                assertThat(new ConnectionString(uri).warnings()).hasSize(1);
            } else {
                assertThatIllegalArgumentException().isThrownBy(() -> new ConnectionString(uri));
            }
            return;
        }
        var string = new ConnectionString(uri);
        if (test.isDocument("readConcern")) {
            var concern = string.readConcern();
            assertThat(concern == null ? new BsonDocument() : concern.asDocument())
                    .isEqualTo(test.getDocument("readConcern"));
        }
        if (test.isDocument("writeConcern")) {
            var concern = string.writeConcern();
            assertThat(concern == null ? WriteConcern.ACKNOWLEDGED : concern)
                    .isEqualTo(writeConcern(test.getDocument("writeConcern")));
        }
    }

    @TestFactory
    Stream<DynamicTest> concernDocuments() {
        return SpecTests.in("read-write-concern/document").stream()
                .flatMap(file -> file.content().getArray("tests").stream()
                        .map(BsonValue::asDocument)
                        .map(each -> dynamicTest(each.getString("description").getValue(), () -> runDocument(each))));
    }

    private static void runDocument(BsonDocument test) {
        if (test.isDocument("readConcern")) {
            BsonDocument given = test.getDocument("readConcern");
            var concern = new ReadConcern(
                    given.isString("level") ? given.getString("level").getValue() : null);
            assertThat(concern.asDocument()).isEqualTo(test.getDocument("readConcernDocument"));
            assertThat(concern.isServerDefault())
                    .isEqualTo(test.getBoolean("isServerDefault").getValue());
        } else if (!test.getBoolean("valid").getValue()) {
            assertThatIllegalArgumentException().isThrownBy(() -> writeConcern(test.getDocument("writeConcern")));
        } else {
            var concern = writeConcern(test.getDocument("writeConcern"));
            BsonDocument document = concern.asDocument();
            if (document.isInt64("wtimeout")) {
                document.put(
                        "wtimeout", new BsonInt32(document.getNumber("wtimeout").intValue()));
            }
            assertThat(document).isEqualTo(test.getDocument("writeConcernDocument"));
            assertThat(concern.isServerDefault())
                    .isEqualTo(test.getBoolean("isServerDefault").getValue());
            assertThat(concern.isAcknowledged())
                    .isEqualTo(test.getBoolean("isAcknowledged").getValue());
        }
    }

    private static WriteConcern writeConcern(BsonDocument given) {
        return new WriteConcern(
                switch (given.get("w")) {
                    case BsonString mode -> new WriteConcern.W.Mode(mode.getValue());
                    case BsonInt32 members -> new WriteConcern.W.Members(members.getValue());
                    case null, default -> null;
                },
                given.isNumber("wtimeoutMS") ? given.getNumber("wtimeoutMS").intValue() : null,
                given.isBoolean("journal") ? given.getBoolean("journal").getValue() : null);
    }
}
