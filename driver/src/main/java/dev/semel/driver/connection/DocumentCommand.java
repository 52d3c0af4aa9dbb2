package dev.semel.driver.connection;

import dev.semel.driver.setting.ServerApi;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.EncoderContext;
import org.jspecify.annotations.Nullable;

/** A command given as a document: what handshakes and monitors send. */
public final class DocumentCommand implements Command {
    private static final BsonValueCodec VALUE = new BsonValueCodec();
    private static final EncoderContext CONTEXT = EncoderContext.builder().build();

    private final String name;
    private final BsonDocument fields;

    public DocumentCommand(String database, BsonDocument command, @Nullable ServerApi api) {
        name = command.getFirstKey();
        fields = command.clone();
        fields.append("$db", new BsonString(database));
        Handshake.append(fields, api);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public void writeFields(BsonBinaryWriter writer) {
        fields.forEach((field, value) -> {
            writer.writeName(field);
            VALUE.encode(writer, value, CONTEXT);
        });
    }
}
