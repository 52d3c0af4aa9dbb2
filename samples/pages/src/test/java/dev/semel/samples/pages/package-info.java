/** Builds the projects that the pages for users show, as a reader would. Start at {@link dev.semel.samples.pages.ProjectsTest}. */
@NullMarked
package dev.semel.samples.pages;

import org.jspecify.annotations.NullMarked;
