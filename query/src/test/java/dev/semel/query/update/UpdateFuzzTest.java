package dev.semel.query.update;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.semel.query.Shorthand;
import dev.semel.query.filter.Filters;
import dev.semel.query.projection.Projection;
import dev.semel.wire.CommandException;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;

final class UpdateFuzzTest {
    /** Any document is refused as an update, or makes a valid document of itself. */
    @FuzzTest
    void anyDocumentIsRefusedOrIsAnUpdate(byte[] bytes) {
        try {
            RawDocument document = BsonValidation.check(bytes, 0, bytes.length);
            Update update = Updates.parse(Value.of(document), List.of(), UpdateScriptsTest.scope());
            RawDocument after = update.apply(document, Filters.ALL).document();
            BsonValidation.check(after.array(), after.offset(), after.offset() + after.length());
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
        }
    }

    /** Any document is refused as a projection, or shows something of itself. */
    @FuzzTest
    void anyDocumentIsRefusedOrIsAProjection(byte[] bytes) {
        try {
            RawDocument document = BsonValidation.check(bytes, 0, bytes.length);
            RawDocument shown =
                    Projection.parse(document, Filters.ALL, Shorthand.scope()).apply(document);
            BsonValidation.check(shown.array(), shown.offset(), shown.offset() + shown.length());
        } catch (CommandException e) {
            assertThat(e.text()).isNotEmpty();
        }
    }
}
