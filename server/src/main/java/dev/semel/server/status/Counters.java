package dev.semel.server.status;

import java.util.concurrent.atomic.LongAdder;

/**
 * Numbers that only grow, from the start of the server. One object for the whole server; each field is bumped by many
 * threads and read by few.
 */
public final class Counters {
    // serverStatus.opcounters: documents inserted, statements of update and delete, commands of the others.
    public final LongAdder inserts = new LongAdder();
    public final LongAdder queries = new LongAdder();
    public final LongAdder updates = new LongAdder();
    public final LongAdder deletes = new LongAdder();
    public final LongAdder getMores = new LongAdder();
    public final LongAdder commands = new LongAdder();

    // serverStatus.metrics.document and queryExecutor
    public final LongAdder documentsInserted = new LongAdder();
    public final LongAdder documentsUpdated = new LongAdder();
    public final LongAdder documentsDeleted = new LongAdder();
    public final LongAdder documentsReturned = new LongAdder();
    public final LongAdder keysExamined = new LongAdder();
    public final LongAdder documentsExamined = new LongAdder();

    // serverStatus.transactions: answered from records
    public final LongAdder retriedCommands = new LongAdder();
    public final LongAdder retriedStatements = new LongAdder();

    // $indexStats
    public final IndexUses indexUses = new IndexUses();

    // serverStatus.network
    public final LongAdder bytesIn = new LongAdder();
    public final LongAdder bytesOut = new LongAdder();
    public final LongAdder requests = new LongAdder();

    // serverStatus.asserts: what went wrong, by whose fault
    public final LongAdder clientErrors = new LongAdder();
    public final LongAdder unexpectedErrors = new LongAdder();

    // serverStatus.connections
    public final LongAdder connectionsCreated = new LongAdder();
    public final LongAdder connectionsRejected = new LongAdder();

    /** Connections that loops serve now; the others have a thread each. */
    public final LongAdder connectionsShared = new LongAdder();
}
