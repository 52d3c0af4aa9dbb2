package dev.semel.wire.bson;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class DocumentsTest {
    @Test
    void sameSeedMakesTheSameDocuments() {
        Documents first = Documents.of(new Random(7));
        Documents second = Documents.of(new Random(7));
        for (int i = 0; i < 50; i++) {
            assertThat(first.document()).isEqualTo(second.document());
        }
    }

    @Test
    void everyTypeIsMade() {
        Documents documents = Documents.of(new Random(1));
        EnumSet<BsonType> seen = EnumSet.noneOf(BsonType.class);
        for (int i = 0; i < 2_000; i++) {
            seen.add(documents.value(1).type());
        }
        assertThat(seen).isEqualTo(EnumSet.allOf(BsonType.class));
    }
}
