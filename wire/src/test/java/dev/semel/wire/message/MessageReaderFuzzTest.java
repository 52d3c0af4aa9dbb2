package dev.semel.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.wire.bson.Json;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;

final class MessageReaderFuzzTest {
    /**
     * Whatever an unknown client sends, the reader answers with messages that can be walked, or with one of its
     * exceptions.
     */
    @FuzzTest
    void anyBytesAreMessagesOrAreRefused(byte[] bytes) throws IOException {
        MessageReader reader = new MessageReader(new ByteArrayInputStream(bytes));
        while (true) {
            try {
                Frame frame = reader.read();
                if (frame == null) {
                    return;
                }
                walk(frame.message());
            } catch (RefusedMessage e) {
                assertThat(e.reason().text()).isNotEmpty();
            } catch (MalformedMessage | EOFException e) {
                return;
            }
        }
    }

    private static void walk(Message message) {
        switch (message) {
            case Message.OpMsg msg -> {
                assertThat(Json.canonical(msg.body())).isNotEmpty();
                msg.sequences()
                        .forEach(sequence -> sequence.documents()
                                .forEach(
                                        each -> assertThat(Json.canonical(each)).isNotEmpty()));
            }
            case Message.OpQuery query ->
                assertThat(Json.canonical(query.query())).isNotEmpty();
            case Message.OpReply reply ->
                assertThat(Json.canonical(reply.document())).isNotEmpty();
        }
    }
}
