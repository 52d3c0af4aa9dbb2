package dev.semel.server.once;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.golden.Seeds;
import dev.semel.server.once.StatementRecord.Answered;
import dev.semel.server.once.StatementRecord.Deleted;
import dev.semel.server.once.StatementRecord.Updated;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Outcomes as bytes and back. */
class StatementRunsTest {
    @Test
    void whatIsAddedIsFound() {
        Seeds.check(300, random -> {
            StatementRuns runs = new StatementRuns();
            Map<Integer, StatementRecord> expected = new HashMap<>();
            int id = random.nextInt(3) == 0 ? 0 : random.nextInt(1 << random.nextInt(31));
            for (int i = random.nextInt(200); i > 0 && id < Integer.MAX_VALUE - 10; i--) {
                StatementRecord record = record(random);
                expected.put(id, record);
                runs.add(id, record);
                id += random.nextInt(5) == 0 ? 2 : 1;
                if (random.nextInt(10) == 0) {
                    StatementRuns.Mark before = runs.mark();
                    runs.add(id, record(random));
                    runs.add(id + 1, record(random));
                    runs.backTo(before);
                }
                if (random.nextInt(20) == 0) {
                    runs = new StatementRuns(runs.toBytes(3), 3);
                }
            }
            byte[] stored = runs.toBytes(0);
            assertThat(stored).hasSize(runs.length());
            Statements found = new Statements();
            found.add(stored, 0);
            assertThat(read(found)).isEqualTo(expected);
            expected.forEach((each, record) -> assertThat(found.find(each)).isEqualTo(record));
            assertThat(found.find(id)).isNull();
        });
    }

    private static Map<Integer, StatementRecord> read(Statements statements) {
        Map<Integer, StatementRecord> all = new HashMap<>();
        for (Statements.Run run : statements.runs()) {
            for (int i = 0; i < run.count(); i++) {
                all.put(run.first() + i, run.record());
            }
        }
        return all;
    }

    private static StatementRecord record(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> new Deleted(random.nextBoolean());
            case 1 -> new Updated(true, random.nextBoolean(), null);
            case 2 -> new Updated(false, false, null);
            case 3 -> new Updated(false, false, Value.of(random.nextInt()));
            case 4 ->
                new Answered(new BsonWriter().put("value", random.nextInt()).finish());
            case 5 -> new Updated(true, true, null);
            default -> StatementRecord.INSERTED;
        };
    }

    @Test
    void manyInsertsTakeAFewBytes() {
        StatementRuns runs = new StatementRuns();
        for (int i = 0; i < 100_000; i++) {
            runs.add(i, StatementRecord.INSERTED);
        }
        assertThat(HexFormat.of().formatHex(runs.toBytes(0))).isEqualTo("0000a08d06");
    }
}
