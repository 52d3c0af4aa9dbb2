package dev.semel.server.catalog;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.Namespace;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;

/** {@code E11000}, worded as MongoDB does: frameworks read index and key out of the message. */
final class DuplicateKey {
    private DuplicateKey() {}

    static CommandException of(Namespace namespace, IndexSpec index, RawDocument keyValue) {
        RawDocument pattern = index.key().document();
        RawDocument details = new BsonWriter()
                .put("keyPattern", pattern)
                .put("keyValue", keyValue)
                .finish();
        return new CommandException(
                        ErrorCode.DuplicateKey,
                        "E11000 duplicate key error collection: %s index: %s dup key: %s",
                        namespace,
                        index.name(),
                        Shell.text(keyValue))
                .withDetails(new ErrorDetails(details));
    }
}
