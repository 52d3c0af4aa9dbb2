package dev.semel.server.plan;

/**
 * One of several plans for a query.
 *
 * @param id what it is known by in the {@link PlanCache}: the index, not the bounds, which depend on the values
 * @param points how well its bounds are defined; 0 if it looks at a whole index
 * @param sorts whether it gives no document before it has read all
 * @param fetches whether it looks at documents
 */
record Contender(String id, Plan plan, int points, boolean sorts, boolean fetches) {}
