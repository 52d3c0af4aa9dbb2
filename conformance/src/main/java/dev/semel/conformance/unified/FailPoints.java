package dev.semel.conformance.unified;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.subject.Subject;
import java.util.Set;
import java.util.TreeSet;
import org.bson.BsonDocument;
import org.bson.BsonString;

/** The fail points that a case sets, for all to be off again when it ends. */
final class FailPoints {
    private final Set<String> names = new TreeSet<>();

    /** Through the client that the case names: a connection more or less makes a difference to some. */
    void set(Driven client, BsonDocument command) {
        note(command);
        BsonDocument arguments = new BsonDocument("command", command)
                .append("commandName", new BsonString("configureFailPoint"))
                .append("readPreference", new BsonDocument("mode", new BsonString("primary")));
        client.create("database", "admin", new BsonDocument()).run("runCommand", new Arguments(arguments, null, null));
    }

    void set(Subject subject, BsonDocument command) {
        note(command);
        subject.run("admin", command);
    }

    private void note(BsonDocument command) {
        names.add(command.getString("configureFailPoint").getValue());
    }

    void turnOff(Subject subject) {
        for (String name : names) {
            subject.tryToRun(
                    "admin",
                    new BsonDocument("configureFailPoint", new BsonString(name)).append("mode", new BsonString("off")));
        }
    }
}
