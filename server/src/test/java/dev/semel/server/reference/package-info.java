/**
 * The query language a second time, for tests only: documents in memory, no index, no rewrite, no shared code with the engine
 * (values are those of {@code org.bson}). Each class states the definition of one part as plainly as it can, and covers what
 * {@link dev.semel.server.reference.RandomLanguage} generates, not more. {@link dev.semel.server.reference.ReferenceTest} holds
 * the engine to it.
 */
@NullMarked
package dev.semel.server.reference;

import org.jspecify.annotations.NullMarked;
