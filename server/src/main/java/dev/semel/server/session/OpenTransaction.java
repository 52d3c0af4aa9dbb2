package dev.semel.server.session;

import dev.semel.store.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Several statements that commit together, begun in either dialect. One command at a time works in it, on whatever
 * connection; who works in it sees to that by having checked it out.
 */
public final class OpenTransaction {
    private final Dialect dialect;
    private final Transaction transaction;
    private final long txnNumber;
    private final long connectionId;
    private final Map<Object, Runnable> endings = new ConcurrentHashMap<>(2);

    /** By the number of a collection: whether what the transaction knows of it still holds. */
    private final Map<Integer, Runnable> dependencies = new HashMap<>();

    private volatile boolean failed;

    /** The two dialects of transactions, distinguished by {@code autocommit: false}. */
    public enum Dialect {
        /** MongoDB's: belongs to a session and a number, never waits for a row, ends with its first error. */
        SESSION,

        /** TokuMX's: belongs to a session or a connection, waits for locks, and an error undoes one statement only. */
        TOKUMX
    }

    /** The number is -1 where the dialect has none, the connection where it does not matter. */
    OpenTransaction(Dialect dialect, Transaction transaction, long txnNumber, long connectionId) {
        this.dialect = dialect;
        this.transaction = transaction;
        this.txnNumber = txnNumber;
        this.connectionId = connectionId;
    }

    public Dialect dialect() {
        return dialect;
    }

    public Transaction transaction() {
        return transaction;
    }

    /** The cluster time that it sees; 0 if its reads see different ones. */
    long readTime() {
        return transaction.readTime();
    }

    /** Of the session; -1 in TokuMX's dialect. */
    public long txnNumber() {
        return txnNumber;
    }

    /** Whether it is rolled back when this connection closes. */
    public boolean endsWith(long closedConnectionId) {
        return connectionId == closedConnectionId;
    }

    /** Nothing can be done but to abort: it happens when the command that works in it ends. From any thread. */
    public void fail() {
        failed = true;
    }

    boolean hasFailed() {
        return failed;
    }

    /** What it has seen of a collection must hold when it commits what it has written; the check throws otherwise. */
    public void dependsOn(int collection, Runnable check) {
        dependencies.putIfAbsent(collection, check);
    }

    void checkDependencies() {
        dependencies.values().forEach(Runnable::run);
    }

    /** To be done before the commit or rollback is answered: cursors, for instance, do not outlive their transaction. */
    public void onEnd(Object whose, Runnable ending) {
        endings.put(whose, ending);
    }

    /** A caller that ends before the transaction need not be notified; from any thread. */
    public void forget(Object whose) {
        endings.remove(whose);
    }

    /** Called at commit or rollback. */
    void ended() {
        endings.values().forEach(Runnable::run);
        endings.clear();
    }
}
