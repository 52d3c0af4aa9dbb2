package dev.semel.server.catalog;

import dev.semel.query.value.DottedPath;
import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Element;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Which paths of a document a wildcard index has: those below {@code path} of {@code path.$**}, or those that the
 * {@code wildcardProjection} of {@code $**} leaves. Without a word about it, {@code _id} is not among them.
 *
 * @param included the index has these and what is below them; everything if empty
 * @param excluded the index has none of these nor of what is below them
 */
public record WildcardPaths(List<DottedPath> included, List<DottedPath> excluded) {
    static final String ALL = "$**";
    private static final DottedPath ID = DottedPath.of("_id");

    static WildcardPaths of(KeyPattern key, RawDocument projection) {
        String wildcard = wildcard(key);
        if (!wildcard.equals(ALL)) {
            String below = wildcard.substring(0, wildcard.length() - ALL.length() - 1);
            return new WildcardPaths(List.of(DottedPath.of(below)), List.of());
        }
        List<DottedPath> included = new ArrayList<>();
        List<DottedPath> excluded = new ArrayList<>();
        boolean id = false;
        for (Element each : projection) {
            if (each.name().equals("_id")) {
                id = isTrue(each.value());
            } else {
                (isTrue(each.value()) ? included : excluded).add(DottedPath.of(each.name()));
            }
        }
        boolean onlyId = projection.size() == 1 && projection.has("_id");
        if (id && (onlyId || !included.isEmpty())) {
            included.add(ID);
        } else if (!id) {
            excluded.add(ID);
        }
        return new WildcardPaths(List.copyOf(included), List.copyOf(excluded));
    }

    static String wildcard(KeyPattern key) {
        return key.fields().stream()
                .filter(each -> each.kind() == IndexKind.WILDCARD)
                .findFirst()
                .orElseThrow()
                .path();
    }

    private static boolean isTrue(Value value) {
        return switch (value) {
            case Value.Bool(boolean bool) -> bool;
            default -> !value.type().isNumber() || !Numbers.isZero(value);
        };
    }

    /** Whether the index has a value that a document has at this path, if it is neither an object nor an array. */
    public boolean covers(DottedPath path) {
        return (included.isEmpty() || included.stream().anyMatch(each -> each.isPrefixOf(path)))
                && excluded.stream().noneMatch(each -> each.isPrefixOf(path));
    }

    /** Whether the index has everything that a document has at and below this path. */
    public boolean coversBelow(DottedPath path) {
        return covers(path) && excluded.stream().noneMatch(each -> path.isPrefixOf(each));
    }

    /** Whether the index may have something at or below this path. */
    boolean mayCoverBelow(DottedPath path) {
        return (included.isEmpty() || included.stream().anyMatch(each -> each.overlaps(path)))
                && excluded.stream().noneMatch(each -> each.isPrefixOf(path));
    }

    // ---- what a client may ask for

    static void check(KeyPattern key, RawDocument projection) {
        if (key.fields().size() == 1) {
            checkAlone(projection);
        } else {
            checkBesideOthers(key, projection);
        }
    }

    private static void checkAlone(RawDocument projection) {
        Boolean including = null;
        for (Element each : projection) {
            boolean included = isTrue(each.value());
            if (each.name().equals("_id")) {
                continue;
            }
            if (including != null && including != included) {
                throw new CommandException(
                        ErrorCode.location(included ? 31253 : 31254),
                        "Failed to parse projection: wildcardProjection :: caused by :: Cannot do %s on field %s in %s"
                                + " projection",
                        included ? "inclusion" : "exclusion",
                        each.name(),
                        included ? "exclusion" : "inclusion");
            }
            including = included;
        }
    }

    private static void checkBesideOthers(KeyPattern key, RawDocument projection) {
        List<String> regular = key.fields().stream()
                .filter(each -> each.kind() != IndexKind.WILDCARD)
                .map(KeyPattern.Field::path)
                .toList();
        List<String> included = new ArrayList<>();
        List<String> excluded = new ArrayList<>();
        for (Element each : projection) {
            if (!each.value().type().isNumber() && !(each.value() instanceof Value.Bool)) {
                throw new CommandException(
                        ErrorCode.location(7246207),
                        "Fields in wildcardProjection must be numbers, however '%s: %s' is a %s.",
                        each.name(),
                        Shell.text(each.value()),
                        each.value().type());
            }
            (isTrue(each.value()) ? included : excluded).add(each.name());
        }
        checkOverlap(included);
        checkOverlap(excluded);
        checkRegular(regular, included, excluded);
        boolean single = included.equals(List.of("_id")) || excluded.equals(List.of("_id"));
        if (!included.isEmpty() && !excluded.isEmpty() && !single) {
            throw new CommandException(
                    ErrorCode.location(7246211),
                    "Inclusion and exclusion statements cannot combine in the wildcardProjection with an exception of"
                            + " explicitly including _id field");
        }
    }

    private static void checkOverlap(List<String> paths) {
        List<String> sorted = paths.stream().sorted().toList();
        for (int i = 1; i < sorted.size(); i++) {
            if (isAbove(sorted.get(i - 1), sorted.get(i))) {
                throw new CommandException(
                        ErrorCode.location(7246200),
                        "Fields in Wildcard Projection cannot overlap, however '%s' is overlapped with '%s",
                        sorted.get(i - 1),
                        sorted.get(i));
            }
        }
    }

    private static void checkRegular(List<String> regular, List<String> included, List<String> excluded) {
        for (String field : regular) {
            for (String path : included) {
                if (isAbove(path, field)) {
                    throw new CommandException(
                            ErrorCode.location(7246208),
                            "Index Key and Wildcard Projection cannot contain overlapping fields, however '%s' index"
                                    + " field is ovverlapping with '%s' wildcardProjection path.",
                            field,
                            path);
                }
            }
            if (!excluded.isEmpty() && excluded.stream().noneMatch(path -> isAbove(path, field))) {
                throw new CommandException(
                        ErrorCode.location(7246210),
                        "wildcardProjection paths must exclude all regular index fields, however '%s'is not excluded.",
                        field);
            }
        }
    }

    static boolean isAbove(String path, String other) {
        return other.equals(path) || other.startsWith(path + ".");
    }
}
