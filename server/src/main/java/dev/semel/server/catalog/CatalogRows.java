package dev.semel.server.catalog;

import dev.semel.store.key.KeyRange;
import dev.semel.wire.Namespace;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keys in the catalog table. The first byte says what a row is:
 *
 * <pre>
 * C database 0 collection   a collection: {@link CollectionEntry}
 * M number field step       an index holds keys of a document with an array at this step of this field's path; empty
 * B number                  an index is being built under this number; empty
 * L database                locked, never stored: the name in lower case of a database that comes into being
 * N                         numbers below this one may have been given to collections and indexes; eight bytes
 * R                         the configuration of the replica set: `StoredConfig` of {@code server.replica}
 * O                         everything up to this cluster time has been removed from the operation log: see {@code server.oplog}
 * S number                  documents and bytes of a collection, valid only after an orderly end; two times eight bytes
 * </pre>
 *
 * Numbers are four bytes, the highest first, and so are they in the keys of documents and index entries, where they come
 * first. For example the document {@code {_id: 7}} of collection 5 has the key {@code 00000005} and the encoded 7.
 */
final class CatalogRows {
    static final byte[] NEXT_NUMBER = {'N'};
    static final KeyRange COLLECTIONS = KeyRange.prefix(new byte[] {'C'});
    static final KeyRange BUILDS = KeyRange.prefix(new byte[] {'B'});
    static final KeyRange SIZES = KeyRange.prefix(new byte[] {'S'});

    private CatalogRows() {}

    static byte[] collection(Namespace namespace) {
        byte[] database = namespace.database().getBytes(StandardCharsets.UTF_8);
        byte[] name = namespace.collection().getBytes(StandardCharsets.UTF_8);
        byte[] key = new byte[database.length + name.length + 2];
        key[0] = 'C';
        System.arraycopy(database, 0, key, 1, database.length);
        System.arraycopy(name, 0, key, database.length + 2, name.length);
        return key;
    }

    static KeyRange collectionsOf(String database) {
        return KeyRange.prefix(collection(new Namespace(database, "")));
    }

    static Namespace namespace(byte[] key) {
        int split = 1;
        while (key[split] != 0) {
            split++;
        }
        return new Namespace(
                new String(key, 1, split - 1, StandardCharsets.UTF_8),
                new String(key, split + 1, key.length - split - 1, StandardCharsets.UTF_8));
    }

    static byte[] multikey(int number, int field, int step) {
        byte[] key = Arrays.copyOf(numbered('M', number), 7);
        key[5] = (byte) field;
        key[6] = (byte) step;
        return key;
    }

    static KeyRange multikeysOf(int number) {
        return KeyRange.prefix(numbered('M', number));
    }

    static byte[] build(int number) {
        return numbered('B', number);
    }

    static byte[] size(int number) {
        return numbered('S', number);
    }

    /** The number in a row whose key has one. */
    static int number(byte[] key) {
        return ((key[1] & 0xFF) << 24) | ((key[2] & 0xFF) << 16) | ((key[3] & 0xFF) << 8) | (key[4] & 0xFF);
    }

    private static byte[] numbered(char kind, int number) {
        return new byte[] {
            (byte) kind, (byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number
        };
    }

    /** What all keys of a collection's documents, or of an index's entries, begin with. */
    static byte[] prefix(int number) {
        return new byte[] {(byte) (number >>> 24), (byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
    }
}
