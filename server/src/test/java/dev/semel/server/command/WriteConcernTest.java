package dev.semel.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.BsonWriter;
import org.junit.jupiter.api.Test;

class WriteConcernTest {
    private static WriteConcern parsed(BsonWriter document) {
        return WriteConcern.parse(document.finish(), WriteConcern.DEFAULT);
    }

    @Test
    void thePrimaryAloneMayAnswerBeforeTheWriteIsDurable() {
        assertThat(parsed(new BsonWriter().put("w", 1)).isDurable()).isTrue();
        assertThat(parsed(new BsonWriter().put("w", 1).put("j", false)).isDurable())
                .isFalse();
        assertThat(parsed(new BsonWriter().put("w", 0)).isDurable()).isFalse();
        assertThat(parsed(new BsonWriter().put("w", 0).put("j", true)).isDurable())
                .isTrue();
    }

    /** Otherwise the primary would look where the others are before the write is on its way to them. */
    @Test
    void whatOtherMembersMustHaveIsDurable() {
        assertThat(parsed(new BsonWriter().put("w", "majority").put("j", false)).isDurable())
                .isTrue();
        assertThat(parsed(new BsonWriter().put("w", "both").put("j", false)).isDurable())
                .isTrue();
        assertThat(parsed(new BsonWriter().put("w", 2).put("j", false)).isDurable())
                .isTrue();
    }
}
