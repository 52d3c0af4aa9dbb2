package dev.semel.driver.gridfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoClients;
import dev.semel.driver.MongoDatabase;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files against a real server. */
class GridFSBucketTest {
    private static final byte[] BYTES = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    private static Server server;
    private static MongoClient client;
    private MongoDatabase database;
    private GridFSBucket bucket;

    @BeforeAll
    static void start() throws IOException {
        server = Server.start(ServerOptions.memory());
        client = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @BeforeEach
    void empty() {
        database = client.getDatabase("files");
        database.drop();
        bucket = GridFSBuckets.create(database).withChunkSizeBytes(4);
    }

    private ObjectId upload(String name) {
        return bucket.uploadFromStream(name, new ByteArrayInputStream(BYTES));
    }

    private byte[] download(ObjectId id) {
        var copy = new ByteArrayOutputStream();
        bucket.downloadToStream(id, copy);
        return copy.toByteArray();
    }

    private long chunks() {
        return database.getCollection("fs.chunks").countDocuments();
    }

    @Test
    void aFileComesBackFromItsChunks() {
        var options = new GridFSUploadOptions().metadata(new Document("owner", "Ada"));
        ObjectId id = bucket.uploadFromStream("a", new ByteArrayInputStream(BYTES), options);

        assertThat(download(id)).isEqualTo(BYTES);
        assertThat(chunks()).isEqualTo(3);
        GridFSFile file =
                bucket.find(new BsonDocument("filename", new BsonString("a"))).first();
        assertThat(file).isNotNull().satisfies(each -> {
            assertThat(each.length()).isEqualTo(10);
            assertThat(each.chunkSize()).isEqualTo(4);
            assertThat(each.metadata()).isEqualTo(new Document("owner", "Ada"));
        });
    }

    @Test
    void anEmptyFileHasNoChunks() {
        ObjectId id = bucket.uploadFromStream("empty", InputStream.nullInputStream());

        assertThat(download(id)).isEmpty();
        assertThat(chunks()).isZero();
    }

    @Test
    void theFirstUploadCreatesTheIndexes() {
        upload("a");

        assertThat(keys("fs.files")).contains(new Document("filename", 1).append("uploadDate", 1));
        assertThat(keys("fs.chunks")).contains(new Document("files_id", 1).append("n", 1));
    }

    private List<Document> keys(String collection) {
        return database.getCollection(collection)
                .listIndexes()
                .map(each -> each.get("key", Document.class))
                .into(new ArrayList<>());
    }

    @Test
    void revisionsCountFromTheOldestOrTheNewest() {
        for (int i = 0; i < 3; i++) {
            bucket.uploadFromStream("a", new ByteArrayInputStream(new byte[] {(byte) i}));
            // Two of the same moment have no order.
            database.getCollection("fs.files")
                    .updateOne(
                            new Document("length", 1L).append("seen", null),
                            new Document("$set", new Document("uploadDate", new BsonDateTime(i)).append("seen", true)));
        }

        assertThat(revision(0)).isEqualTo(0);
        assertThat(revision(1)).isEqualTo(1);
        assertThat(revision(-1)).isEqualTo(2);
        assertThat(revision(-3)).isEqualTo(0);
        assertThatExceptionOfType(MongoGridFSException.class)
                .isThrownBy(() -> revision(3))
                .withMessageContaining("'a' and revision 3");
    }

    private int revision(int number) {
        try (var stream = bucket.openDownloadStream("a", new GridFSDownloadOptions().revision(number))) {
            return stream.read();
        }
    }

    @Test
    void skippingPassesOverChunks() {
        ObjectId id = upload("a");
        try (var stream = bucket.openDownloadStream(id)) {
            assertThat(stream.skip(6)).isEqualTo(6);
            assertThat(stream.read()).isEqualTo(7);
            assertThat(stream.skip(100)).isEqualTo(3);
            assertThat(stream.read()).isEqualTo(-1);
        }
    }

    @Test
    void anAbortedUploadLeavesNothing() {
        GridFSUploadStream stream = bucket.openUploadStream("a");
        stream.write(BYTES);
        stream.abort();

        assertThat(chunks()).isZero();
        assertThat(bucket.find()).isEmpty();
    }

    @Test
    void aSourceThatFailsLeavesNothing() {
        var broken = new InputStream() {
            private int left = 6;

            @Override
            public int read() throws IOException {
                if (left-- == 0) {
                    throw new UncheckedIOException(new IOException("unplugged")).getCause();
                }
                return 1;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                target[offset] = (byte) read();
                return 1;
            }
        };

        assertThatExceptionOfType(MongoGridFSException.class)
                .isThrownBy(() -> bucket.uploadFromStream("a", broken))
                .withMessageContaining("'a'")
                .withRootCauseInstanceOf(IOException.class);
        assertThat(chunks()).isZero();
    }

    @Test
    void aMissingChunkIsNoticed() {
        ObjectId id = upload("a");
        database.getCollection("fs.chunks").deleteOne(new Document("n", 1));

        assertThatExceptionOfType(MongoGridFSException.class)
                .isThrownBy(() -> download(id))
                .withMessageContaining("chunk 1 is missing, found 2");
    }

    @Test
    void aChunkOfTheWrongSizeIsNoticed() {
        ObjectId id = upload("a");
        database.getCollection("fs.chunks")
                .updateOne(new Document("n", 2), new Document("$set", new Document("data", new byte[] {1})));

        assertThatExceptionOfType(MongoGridFSException.class)
                .isThrownBy(() -> download(id))
                .withMessageContaining("chunk 2 has 1 bytes instead of 2");
    }

    @Test
    void deletingTakesTheChunksAlong() {
        ObjectId id = upload("a");
        upload("b");

        bucket.delete(id);

        assertThat(chunks()).isEqualTo(3);
        assertThatExceptionOfType(MongoGridFSException.class).isThrownBy(() -> bucket.delete(id));
        bucket.deleteByName("b");
        assertThat(chunks()).isZero();
    }

    @Test
    void renamingKeepsTheContents() {
        ObjectId id = upload("a");

        bucket.rename(id, "b");

        assertThat(bucket.find().map(GridFSFile::filename)).containsExactly("b");
        assertThat(download(id)).isEqualTo(BYTES);
        assertThatExceptionOfType(MongoGridFSException.class)
                .isThrownBy(() -> bucket.rename(new BsonInt32(5), "c"))
                .withMessageContaining("5");
    }
}
