package dev.semel.server.catalog;

import dev.semel.query.delta.Form.Version;
import dev.semel.store.Transaction;
import dev.semel.wire.bson.RawDocument;

/** Called for every change of a document or of the catalog, in the transaction that makes it: the one place to log from. */
public interface Oplog {
    /** Of a server that stands alone: nothing is logged. */
    Oplog NONE = new Oplog() {
        @Override
        public void inserted(Transaction transaction, Collection collection, RawDocument document) {}

        @Override
        public void updated(Transaction transaction, Collection collection, RawDocument before, Version after) {}

        @Override
        public void deleted(Transaction transaction, Collection collection, RawDocument document) {}

        @Override
        public void changed(Transaction transaction, CatalogChange change) {}
    };

    /** The document is as it is stored, in an array of its own. */
    void inserted(Transaction transaction, Collection collection, RawDocument document);

    /** A replacement is logged as a whole document, any other update by what it changed. */
    void updated(Transaction transaction, Collection collection, RawDocument before, Version after);

    void deleted(Transaction transaction, Collection collection, RawDocument document);

    void changed(Transaction transaction, CatalogChange change);
}
