package dev.semel.driver;

import dev.semel.driver.connection.Reply;
import dev.semel.driver.error.ErrorReply;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.bson.codecs.BsonDocumentCodec;
import org.bson.codecs.DocumentCodec;

/** A command as it stands, on its own connection: the driver adds nothing to it. */
record RawCommand(ServerAddress address) {
    Document run(String database, BsonDocument command) {
        command.put("$db", new BsonString(database));
        var bytes = new RawBsonDocument(command, new BsonDocumentCodec()).getByteBuffer();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        try (var socket = new Socket(address.host(), address.port())) {
            socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, 0, RawDocument.of(copy))));
            var frame = Objects.requireNonNull(new MessageReader(socket.getInputStream()).read());
            var reply = ((Message.OpMsg) frame.message()).body();
            Document document = Reply.decode(reply, new DocumentCodec());
            if (!Double.valueOf(1).equals(document.get("ok"))) {
                throw ErrorReply.exception(Reply.decode(reply, new BsonDocumentCodec()), address);
            }
            return document;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
