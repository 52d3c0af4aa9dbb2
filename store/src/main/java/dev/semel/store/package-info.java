/**
 * Tables, snapshots, transactions, locks and the commit log: the whole storage interface. Engines live in {@code rocks}
 * and {@code memory}, keys in {@code key}, locks in {@code lock}. Uses {@code wire}; does not depend on commands or the
 * query language.
 *
 * <p>The server opens one {@link dev.semel.store.Transactions} over a {@link dev.semel.store.Store} and then uses
 *
 * <pre>
 * Transactions   open(store, options, clock, nanoTime, fatal)    snapshot()    snapshotAt(clusterTime)
 *                begin(isolation, lockPolicy, interruption)      beginAt(clusterTime, lockPolicy, interruption)
 *                visibleTime()  durableTime()  awaitVisible(time, interruption)  awaitDurable(time, interruption)
 *                awaitDurableAfter(time, interruption, atMost)
 *                observe(clusterTime)  reclaim()  live()  pendingRequests()  locksOf(id, limit)  statistics()  lockStatistics()  options(changed)
 *
 * Snapshot       get(table, key)    scan(table, range, reverse)    clusterTime()    close()
 * Scan           next()  key()  value()  transientValue()  seek(key)  close()
 *
 * Transaction    view()  latest()  get(table, key)  latest(table, key)
 *                changedSinceSnapshot(table, key)  requireUnchanged(table, key)  changedSince(view, table, range)  refresh()
 *                lockShared/lockExclusive(table, key or range)    lockCollection(number, mode)
 *                put(table, key, value)  delete(table, key)  mark(table, uniqueValue)  append(recordPart)
 *                deleteRange(table, range)  retire(table, range)  savepoint()  rollbackTo(savepoint)  runUnder(interruption)
 *                commit()  rollback()  close()
 * Commit         awaitApplied()  awaitDurable()  clusterTime()
 * </pre>
 *
 * A plain statement that writes:
 *
 * <pre>{@code
 * try (Transaction transaction = transactions.begin(Isolation.STATEMENT, policy, interruption)) {
 *     transaction.lockCollection(number, LockMode.INTENT_EXCLUSIVE);
 *     transaction.lockExclusive(Table.DOCUMENTS, key);
 *     byte[] before = transaction.get(Table.DOCUMENTS, key);      // the snapshot is taken here, after the lock
 *     transaction.put(Table.DOCUMENTS, key, after);
 *     transaction.append((draft, all) -> {                         // a row that names the commit's time, and facts
 *         draft.timeAt(oplogKey, 0, CommitDraft.COMMIT_TIME);
 *         draft.put(Table.OPLOG, oplogKey, entry);
 *         draft.add(new Fact.Touched(namespace));
 *     });
 *     Commit commit = transaction.commit();
 *     commit.awaitDurable();                                      // or awaitApplied(), as the write concern says
 * }
 * }</pre>
 *
 * A commit is a value: {@link dev.semel.store.CommitDraft} without and {@link dev.semel.store.CommitRecord} with its place in
 * the order. The {@link dev.semel.store.CommitLog} decides on the order, the {@link dev.semel.store.Applier} applies records to
 * the engine and to memory, the same on every node; code that keeps something in memory about committed data is a
 * {@link dev.semel.store.CommitListener} and gets {@link dev.semel.store.Fact}s.
 *
 * <p>A statement that scans for candidates opens a {@code view()}, locks each candidate and asks
 * {@code changedSinceSnapshot}; if so it calls {@code refresh()} and begins again. A plain statement may get
 * {@link dev.semel.store.lock.DeadlockVictim} at any lock: roll back and run it again.
 */
@NullMarked
package dev.semel.store;

import org.jspecify.annotations.NullMarked;
