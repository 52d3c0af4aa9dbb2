package dev.semel.query.script;

import java.util.function.LongSupplier;

/**
 * What one call of a client's function may use.
 *
 * @param instructionsMax instructions of Rhino's interpreter
 * @param bytesMax of memory that it allocates, garbage included
 * @param bytesParameter the name under which the latter is set
 */
public record ScriptLimits(LongSupplier instructionsMax, LongSupplier bytesMax, String bytesParameter) {}
