/**
 * Exceptions, by origin: the server ({@link dev.semel.driver.error.MongoServerException}), the network
 * ({@link dev.semel.driver.error.MongoSocketException}) or the driver itself
 * ({@link dev.semel.driver.error.MongoClientException}). Each carries the code and the labels that decide about retries.
 */
@NullMarked
package dev.semel.driver.error;

import org.jspecify.annotations.NullMarked;
