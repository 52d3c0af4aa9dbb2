package dev.semel.driver.connection;

import dev.semel.driver.setting.DriverInformation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.jspecify.annotations.Nullable;

/** The client metadata of the handshake. Libraries on top of the driver may add their names. */
public final class Metadata {
    private static final int BYTES_MAX = 512;
    private static final int APPLICATION_NAME_BYTES_MAX = 128;
    private static final String SEPARATOR = "|";

    private final @Nullable String applicationName;
    private final String version;
    private final RuntimeEnvironment environment;
    private final List<DriverInformation> additions = new CopyOnWriteArrayList<>();

    public Metadata(@Nullable String applicationName, String version, RuntimeEnvironment environment) {
        if (applicationName != null
                && applicationName.getBytes(StandardCharsets.UTF_8).length > APPLICATION_NAME_BYTES_MAX) {
            throw new IllegalArgumentException("The application name is longer than 128 bytes");
        }
        this.applicationName = applicationName;
        this.version = version;
        this.environment = environment;
    }

    /** For connections made from now on; the same addition is sent once only. */
    public void append(DriverInformation addition) {
        if (!additions.contains(addition)) {
            additions.add(addition);
        }
    }

    /** The document for {@code hello.client}; what is least needed goes first where it would be too large. */
    BsonDocument document() {
        var os = new BsonDocument("type", new BsonString(property("os.name")))
                .append("name", new BsonString(property("os.name")))
                .append("architecture", new BsonString(property("os.arch")))
                .append("version", new BsonString(property("os.version")));
        String platform = "Java/" + property("java.vendor") + "/" + property("java.runtime.version");
        for (DriverInformation each : additions) {
            platform += each.platform() == null ? "" : SEPARATOR + each.platform();
        }
        var document = document(os, platform);
        BsonDocument env = environment.document();
        if (env != null) {
            document.append("env", env);
            if (size(document) > BYTES_MAX) {
                env.keySet().retainAll(List.of("name"));
            }
        }
        if (size(document) > BYTES_MAX) {
            os.keySet().retainAll(List.of("type"));
        }
        if (size(document) > BYTES_MAX) {
            document.remove("env");
        }
        if (size(document) > BYTES_MAX) {
            document.remove("platform");
        }
        return document;
    }

    private BsonDocument document(BsonDocument os, String platform) {
        String name = "semel-driver";
        String versions = version;
        for (DriverInformation each : additions) {
            name += SEPARATOR + each.name();
            versions += each.version() == null ? "" : SEPARATOR + each.version();
        }
        var document = new BsonDocument();
        if (applicationName != null) {
            document.append("application", new BsonDocument("name", new BsonString(applicationName)));
        }
        return document.append(
                        "driver",
                        new BsonDocument("name", new BsonString(name)).append("version", new BsonString(versions)))
                .append("os", os)
                .append("platform", new BsonString(platform));
    }

    private static int size(BsonDocument document) {
        return new RawBsonDocument(document, new BsonDocumentCodec())
                .getByteBuffer()
                .remaining();
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }
}
