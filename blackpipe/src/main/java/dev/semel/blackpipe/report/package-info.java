/**
 * The reports of an audit: {@link dev.semel.blackpipe.report.TextReport} for a terminal, {@link
 * dev.semel.blackpipe.report.HtmlReport} with message diagrams, {@link dev.semel.blackpipe.report.JsonReport} and
 * {@link dev.semel.blackpipe.report.JUnitReport}. Uses {@code audit} and {@code proxy}.
 */
@NullMarked
package dev.semel.blackpipe.report;

import org.jspecify.annotations.NullMarked;
