package dev.semel.conformance.moving;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoClientSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildersTest {
    @TempDir
    Path classes;

    @Test
    @SuppressWarnings("unchecked") // the same class, with other imports
    void buildersMakeWhatThoseOfTheOfficialDriverMake() throws Exception {
        var official = new BuilderCalls().get();
        List<Bson> own = (List<Bson>)
                Moved.instance("BuilderCalls", Supplier.class, classes).get();

        assertThat(rendered(own)).hasSizeGreaterThan(460).isEqualTo(rendered(official));
    }

    private static List<String> rendered(List<Bson> documents) {
        var codecs = MongoClientSettings.getDefaultCodecRegistry();
        return documents.stream()
                .map(each -> each.toBsonDocument(BsonDocument.class, codecs).toJson())
                .toList();
    }
}
