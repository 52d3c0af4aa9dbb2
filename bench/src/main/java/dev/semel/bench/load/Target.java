package dev.semel.bench.load;

/** A server under load, as its own client library reaches it. Every method is one operation, done when it returns. */
interface Target extends AutoCloseable {

    /** Whether the server can do this at all. */
    default boolean supports(Workload workload) {
        return true;
    }

    /** Drops what an earlier run left and stores {@code count} documents of about {@code bytes} bytes, indexed on {@code key}. */
    void prepare(int count, int bytes);

    /** Stores one new document under this identifier. */
    void insert(long id);

    /** Stores so many new documents with one command, the first under this identifier. */
    void insertBatch(long firstId, int count);

    /** Removes what {@link #insert} and {@link #insertBatch} have stored, so that no run depends on those before it. */
    void removeInserted();

    void findById(int id);

    /** By the secondary index; exactly one document matches. */
    void findByKey(int key);

    /** The hundred documents from this key on, in the order of the index. */
    void range(int fromKey);

    /** Adds one to a counter in the document. */
    void increment(int id);

    /**
     * Reads one document, adds one to a counter in two others and stores a new one, all in one transaction that sees one
     * snapshot; begun again for as long as it conflicts with another.
     */
    void transaction(int read, int first, int second, long newId);

    /** Count and sum per group over all documents. */
    void group();

    /** So many locks on documents of their own stay held until {@link #close}. */
    void holdLocks(int count);

    @Override
    void close();
}
