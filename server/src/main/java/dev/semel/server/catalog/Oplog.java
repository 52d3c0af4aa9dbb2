package dev.semel.server.catalog;

import dev.semel.store.Transaction;
import dev.semel.wire.bson.RawDocument;

/**
 * Told of every change of a document, in the transaction that makes it: the one place from which changes can be logged.
 * Nothing is logged yet.
 */
public interface Oplog {
    Oplog NONE = new Oplog() {
        @Override
        public void inserted(Transaction transaction, Collection collection, RawDocument document) {}

        @Override
        public void updated(Transaction transaction, Collection collection, RawDocument before, RawDocument after) {}

        @Override
        public void deleted(Transaction transaction, Collection collection, RawDocument document) {}
    };

    void inserted(Transaction transaction, Collection collection, RawDocument document);

    void updated(Transaction transaction, Collection collection, RawDocument before, RawDocument after);

    void deleted(Transaction transaction, Collection collection, RawDocument document);
}
