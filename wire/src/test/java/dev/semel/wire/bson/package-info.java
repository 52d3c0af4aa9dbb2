/** What is promised of raw BSON and Extended JSON; {@link dev.semel.wire.bson.Documents} makes documents for any test. */
@NullMarked
package dev.semel.wire.bson;

import org.jspecify.annotations.NullMarked;
