package dev.semel.query.expression;

import static java.util.Map.entry;

import dev.semel.wire.CommandException;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Names of time zones: the identifiers that an argument may have, and the shorter names that stand in texts. */
final class ZoneNames {
    private static final Pattern OFFSET = Pattern.compile("[+-]\\d{2}(:?\\d{2})?");

    /** Identifiers of the Olson database that some versions of Java leave out, or give another meaning. */
    private static final Map<String, ZoneId> LEFT_OUT = Map.of(
            "EST", ZoneOffset.ofHours(-5),
            "MST", ZoneOffset.ofHours(-7),
            "HST", ZoneOffset.ofHours(-10),
            "ROC", ZoneId.of("Asia/Taipei"),
            "GMT+0", ZoneId.of("GMT"),
            "GMT-0", ZoneId.of("GMT"));

    /** Hours from UTC. Abbreviations that mean different zones in different countries are not here. */
    private static final Map<String, Integer> ABBREVIATIONS = Map.ofEntries(
            entry("utc", 0),
            entry("gmt", 0),
            entry("wet", 0),
            entry("west", 1),
            entry("bst", 1),
            entry("cet", 1),
            entry("cest", 2),
            entry("eet", 2),
            entry("eest", 3),
            entry("msk", 3),
            entry("jst", 9),
            entry("est", -5),
            entry("edt", -4),
            entry("cst", -6),
            entry("cdt", -5),
            entry("mst", -7),
            entry("mdt", -6),
            entry("pst", -8),
            entry("pdt", -7),
            entry("akst", -9),
            entry("akdt", -8),
            entry("hst", -10));

    /** From one hour east of UTC to twelve, then from one hour west to twelve. */
    private static final String MILITARY = "abcdefghiklmnopqrstuvwxy";

    private ZoneNames() {}

    static ZoneId identified(String name) {
        if (name.isEmpty() || name.equals("Z") || name.equals("UTC")) {
            return ZoneOffset.UTC;
        }
        ZoneId leftOut = LEFT_OUT.get(name);
        if (leftOut != null) {
            return leftOut;
        }
        try {
            if (OFFSET.matcher(name).matches()) {
                return ZoneOffset.of(name);
            }
            if (name.indexOf('/') > 0 || ZoneId.getAvailableZoneIds().contains(name)) {
                return ZoneId.of(name);
            }
            throw unknown(name);
        } catch (DateTimeException e) {
            throw unknown(name);
        }
    }

    private static CommandException unknown(String name) {
        return Types.wrong(40485, "unrecognized time zone identifier: \"%s\"", name);
    }

    /** The offset behind a time, or {@code null}: {@code +0100}, {@code GMT+01}, {@code CEST}, or a letter. */
    static @Nullable ZoneOffset written(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        String offset = lower.startsWith("gmt") && lower.length() > 3 ? lower.substring(3) : lower;
        if (OFFSET.matcher(offset).matches()) {
            return ZoneOffset.of(offset);
        }
        if (lower.length() == 1) {
            return letter(lower);
        }
        Integer hours = ABBREVIATIONS.get(lower);
        return hours == null ? null : ZoneOffset.ofHours(hours);
    }

    private static @Nullable ZoneOffset letter(String letter) {
        if (letter.equals("z")) {
            return ZoneOffset.UTC;
        }
        int index = MILITARY.indexOf(letter);
        return index < 0 ? null : ZoneOffset.ofHours(index < 12 ? index + 1 : 11 - index);
    }
}
