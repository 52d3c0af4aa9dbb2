/**
 * Tables, snapshots, transactions, locks and the commit log: the whole storage interface. Implementations live in
 * {@code rocks} and {@code memory}. Uses {@code wire}; knows nothing of commands or the query language.
 */
@NullMarked
package dev.semel.store;

import org.jspecify.annotations.NullMarked;
