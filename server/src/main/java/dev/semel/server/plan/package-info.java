/**
 * How a query is answered: which index and which part of it, or the whole collection, and what happens to the documents
 * on the way. Start at {@link dev.semel.server.plan.Planner}, which makes a {@link dev.semel.server.plan.Plan}; a plan
 * is run by {@link dev.semel.server.plan.Plan#open} and shown by {@link dev.semel.server.plan.Explain}.
 */
@NullMarked
package dev.semel.server.plan;

import org.jspecify.annotations.NullMarked;
