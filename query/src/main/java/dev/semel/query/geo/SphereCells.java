package dev.semel.query.geo;

import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Region;
import com.google.common.geometry.S2RegionCoverer;
import com.google.common.geometry.S2RegionUnion;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * The cells of a {@code 2dsphere} index: those of S2, and their ids are the keys.
 *
 * @param version that of the index; the first has only points, lines and polygons
 */
public record SphereCells(int version) implements CellSpace {
    /** More cells follow the border of a region more closely, and take more keys. */
    private static final int CELLS_MAX = 20;

    /** About a metre: borders of shapes are followed no further. */
    private static final int SHAPE_LEVEL_MAX = 23;

    private static final S2RegionCoverer COVERER = S2RegionCoverer.builder()
            .setMaxCells(CELLS_MAX)
            .setMaxLevel(SHAPE_LEVEL_MAX)
            .build();

    /**
     * The keys of a stored value, or the error for the document that has it.
     *
     * @param name of the field that has it
     */
    public Set<Long> keys(String name, Value value, RawDocument document) {
        try {
            if (Position.inside(value) == null) {
                throw new InvalidGeometry(
                        "geo element must be an array or object: %s: %s", name, Coordinates.text(value));
            }
            List<Shape> shapes = shapes(value);
            if (shapes.size() == 1 && shapes.getFirst() instanceof Shape.Point(var at, S2Cell cell)) {
                return Set.of(cell.id().id());
            }
            Set<Long> keys = new TreeSet<>();
            for (S2CellId each : covering(shapes)) {
                keys.add(each.id());
            }
            if (keys.isEmpty()) {
                throw new CommandException(
                        ErrorCode.location(16756),
                        "Unable to generate keys for (likely malformed) geometry: %s",
                        Shell.text(document));
            }
            return keys;
        } catch (InvalidGeometry e) {
            throw new CommandException(
                    ErrorCode.location(16755), "Can't extract geo keys: %s  %s", Shell.text(document), e.reason());
        }
    }

    private List<Shape> shapes(Value value) throws InvalidGeometry {
        Geometry geometry = Geometry.stored(value);
        if (geometry instanceof Geometry.StrictPolygon) {
            throw new InvalidGeometry("can't index geometry with strict winding order");
        }
        List<Shape> shapes = geometry.onSphere();
        if (version == 1 && shapes.size() > 1) {
            throw new InvalidGeometry("given geometry can't be indexed in the old index format");
        }
        if (shapes.isEmpty()) {
            throw new InvalidGeometry("can't project geometry into spherical CRS: %s", Coordinates.text(value));
        }
        return shapes;
    }

    private static List<S2CellId> covering(List<Shape> shapes) {
        ArrayList<S2CellId> cells = new ArrayList<>();
        COVERER.getCovering(region(shapes), cells);
        return cells;
    }

    private static S2Region region(List<Shape> shapes) {
        return shapes.size() == 1
                ? shapes.getFirst().region()
                : new S2RegionUnion(shapes.stream().map(Shape::region).toList());
    }

    @Override
    public boolean fits(GeoPredicate predicate) {
        return predicate.region() instanceof Region.Sphere;
    }

    @Override
    public boolean fits(NearQuery near) {
        return near.onSphere();
    }

    /** The cells that cover the region, with all within them, and those around them that a large shape may have. */
    @Override
    public List<Range> ranges(GeoPredicate predicate) {
        if (!(predicate.region() instanceof Region.Sphere(List<Shape> shapes))) {
            throw new IllegalArgumentException("not on the sphere");
        }
        List<Range> ranges = new ArrayList<>();
        Set<S2CellId> around = new HashSet<>();
        for (S2CellId cell : covering(shapes)) {
            ranges.add(new Range(cell.rangeMin().id(), cell.rangeMax().id()));
            for (S2CellId each = cell; !each.isFace() && around.add(each.parent()); ) {
                each = each.parent();
                ranges.add(new Range(each.id(), each.id()));
            }
        }
        return ranges;
    }

    /** Every point of the sphere will do. */
    @Override
    public void check(NearQuery near) {}

    @Override
    public Cell of(long key) {
        return new SphereCell(new S2CellId(key));
    }

    @Override
    public List<Cell> all() {
        List<Cell> faces = new ArrayList<>();
        for (S2CellId each : S2CellId.FACE_CELLS) {
            faces.add(new SphereCell(each));
        }
        return faces;
    }

    @Override
    public List<Cell> around(Position centre) {
        List<Cell> cells = new ArrayList<>();
        S2CellId leaf = S2CellId.fromPoint(centre.toSphere());
        for (int level = S2CellId.MAX_LEVEL; level >= 0; level--) {
            cells.add(new SphereCell(leaf.parent(level)));
        }
        return cells;
    }

    private record SphereCell(S2CellId id) implements Cell {
        @Override
        public long low() {
            return id.rangeMin().id();
        }

        @Override
        public long high() {
            return id.rangeMax().id();
        }

        @Override
        public OptionalLong own() {
            return OptionalLong.of(id.id());
        }

        @Override
        public List<Cell> parts() {
            if (id.isLeaf()) {
                return List.of();
            }
            List<Cell> parts = new ArrayList<>(4);
            for (int i = 0; i < 4; i++) {
                parts.add(new SphereCell(id.child(i)));
            }
            return parts;
        }

        @Override
        public double least(NearQuery near) {
            return Shape.radians(new S2Cell(id).getDistance(near.point()));
        }

        @Override
        public double most(NearQuery near) {
            S2Cap cap = new S2Cell(id).getCapBound();
            return Math.min(
                    Math.PI,
                    new com.google.common.geometry.S1Angle(cap.axis(), near.point()).radians()
                            + cap.angle().radians());
        }
    }
}
