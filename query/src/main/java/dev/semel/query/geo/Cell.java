package dev.semel.query.geo;

import java.util.List;
import java.util.OptionalLong;

/** A part of the sphere or the plane whose keys are next to each other in an index. */
public interface Cell {
    /** The lowest key of anything that is wholly within the cell; the highest is {@link #high}. */
    long low();

    long high();

    /** The key of what is within the cell but in none of its parts, if an index has such keys. */
    OptionalLong own();

    /** The parts into which it is divided; none if it is one of the smallest. */
    List<Cell> parts();

    /** No point of the cell is nearer. Infinite if no point of the cell has a distance. */
    double least(NearQuery near);

    /** No point of the cell is further away. */
    double most(NearQuery near);
}
