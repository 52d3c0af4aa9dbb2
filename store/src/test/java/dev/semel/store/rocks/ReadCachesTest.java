package dev.semel.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.store.Batch;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What counts for which snapshot: a document from another one would be a wrong answer. */
class ReadCachesTest {
    private static final byte[] KEY = key(1);
    private static final byte[] FIRST = {1};
    private static final byte[] SECOND = {2};

    private final ReadCaches cache = new ReadCaches(1 << 20);

    private static byte[] key(int number) {
        return ByteBuffer.allocate(12).putInt(7).putLong(number).array();
    }

    private void readTwice(byte[] key, byte[] document, long snapshot) {
        cache.read(key, document, snapshot);
        cache.read(key, document, snapshot);
    }

    private void write(Batch batch) {
        cache.writing(batch);
        cache.renew(batch);
        cache.written();
    }

    private static Batch putting(byte[] key, byte[] document) {
        Batch batch = new Batch();
        batch.put(Table.DOCUMENTS, key, document);
        return batch;
    }

    @Test
    void theSecondReadOfADocumentKeepsIt() {
        cache.read(KEY, FIRST, 0);
        assertThat(cache.document(KEY, 0)).isNull();
        cache.read(KEY, FIRST, 0);
        assertThat(cache.document(KEY, 0)).isSameAs(FIRST);
        assertThat(cache.document(key(2), 0)).isNull();
        assertThat(cache.documentHits()).isEqualTo(1);
    }

    /** The caller may use the array of the key for the next one. */
    @Test
    void keysAreCopied() {
        byte[] reused = KEY.clone();
        readTwice(reused, FIRST, 0);
        reused[11]++;
        assertThat(cache.document(KEY, 0)).isSameAs(FIRST);
        assertThat(cache.document(reused, 0)).isNull();
    }

    @Test
    void aSnapshotFromBeforeDoesNotGetIt() {
        readTwice(KEY, FIRST, 5);
        assertThat(cache.document(KEY, 4)).isNull();
        assertThat(cache.document(KEY, 6)).isSameAs(FIRST);
    }

    @Test
    void aDocumentIsOutdatedBeforeTheEngineHasTheNextOne() {
        readTwice(KEY, FIRST, 0);
        cache.writing(putting(KEY, SECOND));
        assertThat(cache.document(KEY, 0)).isNull();
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
    }

    /** It had not seen the batch yet, and says so after it. */
    @Test
    void whatAnOlderSnapshotHasReadDoesNotCount() {
        long before = cache.newestBatch();
        write(putting(KEY, SECOND));
        readTwice(KEY, FIRST, before);
        assertThat(cache.document(KEY, before)).isNull();
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
        readTwice(KEY, SECOND, cache.newestBatch());
        assertThat(cache.document(KEY, cache.newestBatch())).isSameAs(SECOND);
    }

    @Test
    void aBatchRenewsWhatIsHere() {
        readTwice(KEY, FIRST, 0);
        write(putting(KEY, SECOND));
        assertThat(cache.document(KEY, cache.newestBatch())).isSameAs(SECOND);
        assertThat(cache.document(KEY, 0)).isNull();
        write(putting(key(2), FIRST));
        assertThat(cache.document(key(2), cache.newestBatch())).isNull();
    }

    @Test
    void aFailedBatchRenewsNothing() {
        readTwice(KEY, FIRST, 0);
        cache.writing(putting(KEY, SECOND));
        cache.written();
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
    }

    @Test
    void whatABatchPutsAndRemovesIsGone() {
        readTwice(KEY, FIRST, 0);
        Batch batch = putting(KEY, SECOND);
        batch.delete(Table.DOCUMENTS, KEY);
        write(batch);
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
        assertThat(cache.documentBytes()).isZero();
    }

    @Test
    void aRemovedRangeIsGoneWhateverTheBatchPutsBefore() {
        readTwice(KEY, FIRST, 0);
        readTwice(key(2), FIRST, 0);
        Batch batch = putting(KEY, SECOND);
        batch.deleteRange(Table.DOCUMENTS, KeyRange.prefix(new byte[] {0, 0, 0, 7}));
        write(batch);
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
        assertThat(cache.document(key(2), cache.newestBatch())).isNull();
        readTwice(KEY, SECOND, cache.newestBatch());
        assertThat(cache.document(KEY, cache.newestBatch())).isSameAs(SECOND);
    }

    @Test
    void otherTablesDoNotCount() {
        readTwice(KEY, FIRST, 0);
        Batch batch = new Batch();
        batch.put(Table.INDEXES, KEY, SECOND);
        batch.deleteRange(Table.OPLOG, KeyRange.prefix(KEY));
        write(batch);
        assertThat(cache.document(KEY, cache.newestBatch())).isSameAs(FIRST);
    }

    @Test
    void takesNoMoreThanItMay() {
        for (int i = 0; i < 5_000; i++) {
            readTwice(key(i), new byte[1_000], 0);
            assertThat(cache.documentBytes()).isLessThanOrEqualTo(1 << 20);
        }
        assertThat(cache.documentBytes()).isGreaterThan(1 << 19);
        write(putting(key(4_999), new byte[16 << 10]));
        assertThat(cache.documentBytes()).isLessThanOrEqualTo(1 << 20);
    }

    /** With fewer or smaller sets of places, a fifth of them had none. */
    @Test
    void asManySmallDocumentsAsThereIsRoomForArePlaced() {
        int count = 1_800;
        for (int i = 0; i < count; i++) {
            readTwice(key(i), new byte[300], 0);
        }
        long found = IntStream.range(0, count)
                .filter(each -> cache.document(key(each), 0) != null)
                .count();
        assertThat(found).isGreaterThan(count * 98 / 100);
    }

    @Test
    void largeDocumentsStayInTheEngine() {
        readTwice(KEY, new byte[17 << 10], 0);
        assertThat(cache.document(KEY, 0)).isNull();
        readTwice(KEY, FIRST, 0);
        write(putting(KEY, new byte[17 << 10]));
        assertThat(cache.document(KEY, cache.newestBatch())).isNull();
    }

    @Test
    void withoutRoomItStaysEmpty() {
        ReadCaches none = new ReadCaches(0);
        none.read(KEY, FIRST, 0);
        none.read(KEY, FIRST, 0);
        assertThat(none.document(KEY, 0)).isNull();
    }
}
