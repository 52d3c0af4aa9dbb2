package dev.semel.driver.setting;

import org.bson.BsonDocument;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** The read concern; without a level the server's default applies. */
public record ReadConcern(@Nullable String level) {
    public static final ReadConcern DEFAULT = new ReadConcern(null);
    public static final ReadConcern LOCAL = new ReadConcern("local");
    public static final ReadConcern MAJORITY = new ReadConcern("majority");
    public static final ReadConcern LINEARIZABLE = new ReadConcern("linearizable");
    public static final ReadConcern SNAPSHOT = new ReadConcern("snapshot");
    public static final ReadConcern AVAILABLE = new ReadConcern("available");

    public boolean isServerDefault() {
        return level == null;
    }

    public BsonDocument asDocument() {
        var document = new BsonDocument();
        if (level != null) {
            document.put("level", new BsonString(level));
        }
        return document;
    }
}
