/**
 * JavaScript of clients, run by Rhino's interpreter: {@code $where}, {@code $function}, {@code $accumulator} and the functions of
 * {@code mapReduce}. A function sees its arguments, the standard objects of the language and MongoDB's types, and nothing else: no
 * Java, no files, no network. What it may do is limited in instructions, memory and depth, and it ends with its command.
 *
 * <p>The standard objects are made once, sealed, and shared; each call has an empty scope above them, so that nothing stays from one
 * call to the next. Rhino does not bound memory. Therefore {@link dev.semel.query.script.Rewriting} counts what the code of a client
 * allocates, and {@link dev.semel.query.script.GuardedFunction} bounds what one call of a built-in function can. Start at
 * {@link dev.semel.query.script.ScriptEngine}.
 */
@NullMarked
package dev.semel.query.script;

import org.jspecify.annotations.NullMarked;
