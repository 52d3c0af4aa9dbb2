/**
 * The settings of a client: connection strings, read preference, the concerns, credentials. Values only; start at
 * {@link dev.semel.driver.setting.ConnectionString}.
 */
@NullMarked
package dev.semel.driver.setting;

import org.jspecify.annotations.NullMarked;
