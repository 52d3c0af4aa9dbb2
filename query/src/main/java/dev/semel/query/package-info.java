/**
 * The language: filters, updates, projections, pipelines, and how values compare. Pure: every answer is a function of its
 * input, so nothing here opens a socket or a file, starts a thread or reads a clock. Uses {@code wire}.
 */
@NullMarked
package dev.semel.query;

import org.jspecify.annotations.NullMarked;
