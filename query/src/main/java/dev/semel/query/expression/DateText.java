package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.Temporal;
import java.time.temporal.WeekFields;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Dates as text: ISO 8601, and the percent formats of {@code $dateToString}; {@link DatePattern} reads those. */
final class DateText {
    /** A date, perhaps a time after a T or a blank, perhaps an offset. */
    private static final Pattern ISO = Pattern.compile(
            "(?<year>-?\\d{4}|[+-]\\d{5,9})-(?<month>\\d{1,2})-(?<day>\\d{1,2})(?:[T"
                    + " ](?<hour>\\d{1,2}):(?<minute>\\d{1,2})(?::(?<second>\\d{1,2})(?:\\.(?<fraction>\\d{1,3}))?)?)?"
                    + "(?<offset>Z|[+-]\\d{2}(?::?\\d{2})?)?",
            Pattern.CASE_INSENSITIVE);

    private DateText() {}

    /** Milliseconds of a text as people write dates; UTC where it names no zone. */
    static long parse(String text) {
        return parse(text, null);
    }

    static long parse(String text, @Nullable ZoneId zone) {
        try {
            Matcher parts = ISO.matcher(text);
            if (!parts.matches() && !parts.reset(WrittenDate.iso(text)).matches()) {
                throw unreadable(text);
            }
            String offset = parts.group("offset");
            return millis(
                    text,
                    LocalDate.of(number(parts, "year"), number(parts, "month"), number(parts, "day")),
                    LocalTime.of(
                            number(parts, "hour"),
                            number(parts, "minute"),
                            number(parts, "second"),
                            nanos(parts.group("fraction"))),
                    offset == null ? null : ZoneOffset.of(offset.toUpperCase(Locale.ROOT)),
                    zone);
        } catch (DateTimeException | ArithmeticException e) {
            throw unreadable(text);
        }
    }

    /** 0 for a part that the text does not have. */
    private static int number(Matcher parts, String name) {
        String digits = parts.group(name);
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    private static int nanos(@Nullable String fraction) {
        return fraction == null ? 0 : Integer.parseInt((fraction + "00").substring(0, 3)) * 1_000_000;
    }

    /** A zone named by the text and one given beside it exclude each other, unless that is UTC. */
    static long millis(
            String text,
            @Nullable LocalDate date,
            @Nullable LocalTime time,
            @Nullable ZoneId named,
            @Nullable ZoneId zone) {
        if (named != null && zone != null && !isUtc(zone)) {
            throw failure(
                    "you cannot pass in a date/time string with time zone information ('%s') together with a "
                            + "timezone argument",
                    text);
        }
        if (date == null) {
            throw failure("an incomplete date/time string has been found, with elements missing: \"%s\"", text);
        }
        ZoneId used = named != null ? named : zone != null ? zone : ZoneOffset.UTC;
        return date.atTime(time == null ? LocalTime.MIDNIGHT : time)
                .atZone(used)
                .toInstant()
                .toEpochMilli();
    }

    /** Whether it is UTC by that name or as an offset. Other zones without an offset, as GMT, are zones like others. */
    static boolean isUtc(ZoneId zone) {
        return zone.equals(ZoneOffset.UTC);
    }

    static CommandException unreadable(String text) {
        return failure("Error parsing date string '%s'", text);
    }

    /** Of zones a text may have an offset or an abbreviation, not a name. */
    static CommandException zoneName(String text, int at) {
        return new CommandException(
                ErrorCode.ConversionFailure,
                "Error parsing date string '%s'; %d: passing a time zone identifier as part of the string is not"
                        + " allowed '%s'",
                text,
                at,
                text.charAt(at));
    }

    private static CommandException failure(String message, String text) {
        return new CommandException(ErrorCode.ConversionFailure, message, text);
    }

    static char specifier(String format, int at) {
        if (at == format.length()) {
            throw Types.wrong(18535, "Unmatched '%' at end of format string");
        }
        return format.charAt(at);
    }

    static CommandException invalid(char specifier) {
        return Types.wrong(18536, "Invalid format character '%%%s' in format string", specifier);
    }

    /** Writes a date as a percent format says. */
    static String write(String format, ZonedDateTime date) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < format.length(); i++) {
            if (format.charAt(i) != '%') {
                out.append(format.charAt(i));
                continue;
            }
            switch (specifier(format, ++i)) {
                case 'Y' -> out.append(padded(year(date.getYear()), 4));
                case 'm' -> out.append(padded(date.getMonthValue(), 2));
                case 'd' -> out.append(padded(date.getDayOfMonth(), 2));
                case 'H' -> out.append(padded(date.getHour(), 2));
                case 'M' -> out.append(padded(date.getMinute(), 2));
                case 'S' -> out.append(padded(date.getSecond(), 2));
                case 'L' -> out.append(padded(date.get(ChronoField.MILLI_OF_SECOND), 3));
                case 'j' -> out.append(padded(date.getDayOfYear(), 3));
                case 'b' -> out.append(date.getMonth().getDisplayName(TextStyle.SHORT, Locale.ENGLISH));
                case 'B' -> out.append(date.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
                case 'w' -> out.append(date.get(WeekFields.SUNDAY_START.dayOfWeek()));
                case 'u' -> out.append(date.getDayOfWeek().getValue());
                case 'U' -> out.append(padded(week(date), 2));
                case 'V' -> out.append(padded(date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR), 2));
                case 'G' -> out.append(padded(year(date.get(IsoFields.WEEK_BASED_YEAR)), 4));
                case 'z' -> out.append(offset(date));
                case 'Z' -> out.append(date.getOffset().getTotalSeconds() / 60);
                case '%' -> out.append('%');
                default -> throw invalid(format.charAt(i));
            }
        }
        return out.toString();
    }

    /** From 0, the days before the first Sunday, to 53. */
    static int week(ZonedDateTime date) {
        return (date.getDayOfYear() + 6 - date.getDayOfWeek().getValue() % 7) / 7;
    }

    private static int year(int year) {
        if (year < 0 || year > 9999) {
            throw Types.wrong(
                    18537,
                    "Could not convert date to string: date component was outside the supported range of 0-9999: %d",
                    year);
        }
        return year;
    }

    private static String offset(Temporal date) {
        int minutes = date.get(ChronoField.OFFSET_SECONDS) / 60;
        return (minutes < 0 ? "-" : "+") + padded(Math.abs(minutes) / 60, 2) + padded(Math.abs(minutes) % 60, 2);
    }

    private static String padded(int number, int digits) {
        String text = Integer.toString(number);
        return "0".repeat(Math.max(0, digits - text.length())) + text;
    }

    /** UTC with milliseconds, as MongoDB prints a date wherever it becomes a string. */
    static String iso(LocalDateTime utc) {
        return padded(year(utc.getYear()), 4) + "-" + padded(utc.getMonthValue(), 2) + "-"
                + padded(utc.getDayOfMonth(), 2) + "T"
                + padded(utc.getHour(), 2) + ":" + padded(utc.getMinute(), 2) + ":" + padded(utc.getSecond(), 2) + "."
                + padded(utc.get(ChronoField.MILLI_OF_SECOND), 3) + "Z";
    }
}
