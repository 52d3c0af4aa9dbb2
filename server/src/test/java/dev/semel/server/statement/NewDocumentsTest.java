package dev.semel.server.statement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class NewDocumentsTest {
    private final ObjectIds ids = new ObjectIds(() -> Instant.ofEpochSecond(1_700_000_000), new Random(5));
    private final NewDocuments documents =
            new NewDocuments(ids, new Timestamps(() -> Instant.ofEpochSecond(1_700_000_000)));

    @Test
    void missingIdIsAddedInFront() {
        RawDocument stored = documents.complete(Unquoted.document("{a: 1}"), false);
        assertThat(stored.cursor()).satisfies(at -> {
            assertThat(at.next()).isTrue();
            assertThat(at.name()).isEqualTo("_id");
            assertThat(at.value()).isInstanceOf(Value.Oid.class);
        });
        assertThat(stored.get("a")).isEqualTo(Value.of(1));
    }

    @Test
    void idMovesToTheFront() {
        assertThat(documents.complete(Unquoted.document("{a: 1, _id: 2, b: 3}"), false))
                .isEqualTo(Unquoted.document("{_id: 2, a: 1, b: 3}"));
    }

    @Test
    void whatIsStoredDoesNotShareTheMessagesBytes() {
        byte[] message = Unquoted.document("{x: {_id: 1, a: 2}}").toBytes();
        RawDocument inside = RawDocument.view(message, 7);
        RawDocument stored = documents.complete(inside, false);
        assertThat(stored).isEqualTo(Unquoted.document("{_id: 1, a: 2}"));
        assertThat(stored.array()).hasSize(stored.length());
    }

    @Test
    void emptyTimestampsOfTheOutermostLevelBecomeTheTime() {
        RawDocument sent = new BsonWriter()
                .put("_id", new Value.Timestamp(0))
                .put("t", new Value.Timestamp(0))
                .put("u", new Value.Timestamp(0))
                .put("v", new Value.Timestamp(7))
                .startDocument("in")
                .put("t", new Value.Timestamp(0))
                .end()
                .finish();
        RawDocument stored = documents.complete(sent, false);
        assertThat(stored.get("_id")).isEqualTo(new Value.Timestamp(0));
        assertThat(stored.get("t")).isEqualTo(new Value.Timestamp(1_700_000_000, 1));
        assertThat(stored.get("u")).isEqualTo(new Value.Timestamp(1_700_000_000, 2));
        assertThat(stored.get("v")).isEqualTo(new Value.Timestamp(7));
        assertThat(stored.get("in"))
                .isEqualTo(Value.of(
                        new BsonWriter().put("t", new Value.Timestamp(0)).finish()));
    }

    @Test
    void emptyTimestampsStayIfThatIsWanted() {
        RawDocument sent = new BsonWriter().put("t", new Value.Timestamp(0)).finish();
        RawDocument stored = documents.complete(sent, true);
        assertThat(stored.get("_id")).isInstanceOf(Value.Oid.class);
        assertThat(stored.get("t")).isEqualTo(new Value.Timestamp(0));
    }

    @Test
    void idsOfTypesThatCannotBeFoundAgainAreRefused() {
        assertThatThrownBy(() -> documents.complete(Unquoted.document("{_id: [1]}"), false))
                .isInstanceOfSatisfying(CommandException.class, e -> {
                    assertThat(e.code()).isEqualTo(ErrorCode.InvalidIdField);
                    assertThat(e).hasMessage("The '_id' value cannot be of type array");
                });
        assertThatThrownBy(() -> documents.complete(Unquoted.document("{_id: {a: {$b: 1}}}"), false))
                .hasMessage("_id fields may not contain '$'-prefixed fields: $b is not valid for storage.");
        assertThatThrownBy(() -> documents.complete(
                        new BsonWriter().put("_id", 1).put("_id", 2).finish(), false))
                .hasMessage("can't have multiple _id fields in one document");
    }

    @Test
    void tooLargeAndTooDeepIsRefused() {
        RawDocument large = new BsonWriter()
                .put("_id", 1)
                .put("a", new Value.Binary((byte) 0, new byte[Limits.DOCUMENT_BYTES_MAX]))
                .finish();
        assertThatThrownBy(() -> documents.complete(large, false))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BSONObjectTooLarge));
        RawDocument deep = RawDocument.EMPTY;
        for (int i = 0; i < Limits.DEPTH_MAX; i++) {
            deep = new BsonWriter().put("a", deep).finish();
        }
        RawDocument tooDeep = deep;
        assertThatThrownBy(() -> documents.complete(tooDeep, false))
                .isInstanceOfSatisfying(
                        CommandException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.Overflow));
    }

    @Test
    void idsDiffer() {
        Set<Object> seen = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            assertThat(seen.add(ids.next())).isTrue();
        }
    }
}
