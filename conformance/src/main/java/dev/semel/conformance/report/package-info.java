/**
 * What came of the cases: known failures, and the page for readers. Start at {@link dev.semel.conformance.report.Page}.
 */
@NullMarked
package dev.semel.conformance.report;

import org.jspecify.annotations.NullMarked;
