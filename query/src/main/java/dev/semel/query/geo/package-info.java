/**
 * Shapes on the sphere and on the plane: how documents store them, what queries ask of them, and the cells by which an
 * index finds them. Edges on the sphere are geodesics. Pure.
 *
 * <p>Start with {@link dev.semel.query.geo.Geometry}, what a document has, and {@link dev.semel.query.geo.GeoPredicate},
 * what a filter asks of it. {@link dev.semel.query.geo.NearQuery} asks for an order by distance. {@link
 * dev.semel.query.geo.CellSpace} divides the sphere or the plane into cells for an index.
 */
@NullMarked
package dev.semel.query.geo;

import org.jspecify.annotations.NullMarked;
