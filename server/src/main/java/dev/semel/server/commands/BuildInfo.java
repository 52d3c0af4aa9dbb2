package dev.semel.server.commands;

import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Spec;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;

/**
 * {@code buildInfo}: which server this is. Clients decide by {@code version} what they may ask, so that is MongoDB's; our own
 * is {@code semelVersion}.
 */
final class BuildInfo implements Command<BuildInfo.Args> {
    static final String MONGODB_VERSION = "8.0.0";

    private final String semelVersion;
    private final String storageEngine;

    record Args() {}

    BuildInfo(String semelVersion, String storageEngine) {
        this.semelVersion = semelVersion;
        this.storageEngine = storageEngine;
    }

    /** Where clients look for a commit: one that cannot be taken for MongoDB's. */
    static String gitVersion(String semelVersion) {
        return "semel-" + semelVersion;
    }

    @Override
    public Spec spec() {
        return Spec.of("buildInfo").alias("buildinfo").with(Spec.Trait.HANDSHAKE);
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter out = new BsonWriter()
                .put("version", MONGODB_VERSION)
                .put("gitVersion", gitVersion(semelVersion))
                .put("semelVersion", semelVersion);
        out.startArray("modules").end();
        out.put("allocator", "system").put("javascriptEngine", "none");
        out.startArray("versionArray");
        for (String part : MONGODB_VERSION.split("\\.", -1)) {
            out.add(Value.of(Integer.parseInt(part)));
        }
        out.add(Value.of(0)).end();
        out.startDocument("buildEnvironment")
                .put("target_arch", System.getProperty("os.arch", ""))
                .put("target_os", System.getProperty("os.name", ""))
                .end();
        out.put("bits", 64).put("debug", false).put("maxBsonObjectSize", Limits.DOCUMENT_BYTES_MAX);
        out.startArray("storageEngines").add(storageEngine).end();
        return Reply.of(out);
    }
}
