/**
 * Regular expressions with the syntax and the results of PCRE2, which is what MongoDB matches with. The JDK's engine has
 * another syntax, and uses the thread's stack for repetitions; this one backtracks on its own stack, whose size and
 * steps are limited. Pure. Start at {@link dev.semel.query.regex.Regex}.
 */
@NullMarked
package dev.semel.query.regex;

import org.jspecify.annotations.NullMarked;
