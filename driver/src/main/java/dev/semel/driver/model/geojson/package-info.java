/** Shapes in GeoJSON, for {@link dev.semel.driver.model.Filters} and as values of documents. */
@NullMarked
package dev.semel.driver.model.geojson;

import org.jspecify.annotations.NullMarked;
