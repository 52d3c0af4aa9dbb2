package dev.semel.server.statement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.ErrorDetails;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A reply has no room for the explanations of very many errors. */
final class ResultsTest {
    private static final int LARGE_BYTES = 600 << 10;

    @Test
    void explanationsAreLeftOutOnceThereAreManyBytesOfThem() {
        Results results = new Results(4);
        for (int i = 0; i < 4; i++) {
            results.set(i, refused(i));
        }
        assertThat(explanation(results, 0).has("details")).isTrue();
        assertThat(explanation(results, 1).has("details")).isTrue();
        assertThat(explanation(results, 2))
                .hasToString("{\"failingDocumentId\": 2, \"note\": \"detailed error was too large\"}");
        assertThat(explanation(results, 3).has("details")).isFalse();
    }

    @Test
    void oneThatIsVeryLongHasItsExplanation() {
        Results results = new Results(2);
        results.set(0, refused(0, 12 << 20));
        results.set(1, refused(1));
        assertThat(explanation(results, 0).has("details")).isTrue();
        assertThat(explanation(results, 1).has("details")).isFalse();
    }

    /** A conflict may have a transaction run its statements again and again. */
    @Test
    void whatIsReplacedDoesNotCount() {
        Results results = new Results(3);
        for (int attempt = 0; attempt < 5; attempt++) {
            results.clear(0, 3);
            results.set(0, refused(0));
            results.set(1, refused(1));
        }
        assertThat(explanation(results, 1).has("details")).isTrue();
        results.set(1, Outcome.INSERTED);
        results.set(2, refused(2));
        assertThat(explanation(results, 2).has("details")).isTrue();
    }

    @Test
    void otherDetailsStay() {
        Results results = new Results(2);
        results.set(0, refused(0, 2 << 20));
        RawDocument keys = new BsonWriter().startDocument("keyValue").end().finish();
        results.set(
                1,
                new Outcome.Failed(
                        new CommandException(ErrorCode.DuplicateKey, "E11000").withDetails(new ErrorDetails(keys))));
        assertThat(details(results, 1)).isEqualTo(keys);
    }

    private static Outcome refused(int id) {
        return refused(id, LARGE_BYTES);
    }

    private static Outcome refused(int id, int bytes) {
        char[] text = new char[bytes];
        Arrays.fill(text, 'x');
        RawDocument info = new BsonWriter()
                .startDocument("errInfo")
                .put("failingDocumentId", id)
                .startDocument("details")
                .put("consideredValue", new String(text))
                .end()
                .end()
                .finish();
        return new Outcome.Failed(
                new CommandException(ErrorCode.DocumentValidationFailure, "Document failed validation")
                        .withDetails(new ErrorDetails(info)));
    }

    private static RawDocument explanation(Results results, int index) {
        return details(results, index).get("errInfo") instanceof Value.Doc(RawDocument info) ? info : RawDocument.EMPTY;
    }

    private static RawDocument details(Results results, int index) {
        return results.get(index) instanceof Outcome.Failed(CommandException error)
                ? error.details().fields()
                : RawDocument.EMPTY;
    }
}
