/**
 * Runs the published driver specification tests with a driver under test against servers started for it. Start at {@link
 * dev.semel.conformance.Campaign}; {@code ConformanceTest} makes JUnit tests of it. The folders of the data that are not of
 * the unified format are listed in {@link dev.semel.conformance.OtherFormats}, with who runs them.
 */
@NullMarked
package dev.semel.conformance;

import org.jspecify.annotations.NullMarked;
