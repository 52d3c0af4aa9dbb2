import dev.semel.driver.MongoClients;
import java.util.List;
import org.bson.Document;

/** Makes the first user of a server, who may do everything: URI, name, password. */
final class FirstUser {
    public static void main(String[] arguments) {
        try (var client = MongoClients.create(arguments[0])) {
            client.getDatabase("admin")
                    .runCommand(new Document("createUser", arguments[1])
                            .append("pwd", arguments[2])
                            .append("roles", List.of("root")));
        }
    }
}
