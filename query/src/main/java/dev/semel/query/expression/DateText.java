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
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.time.temporal.WeekFields;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates as text: ISO 8601, and the percent formats of {@code $dateToString}; {@link DatePattern} reads those. */
final class DateText {
    /** A date, perhaps a time after a T or a blank, perhaps an offset; strict, or 30 February would be the 29th. */
    private static final DateTimeFormatter ISO = new DateTimeFormatterBuilder()
            .parseCaseInsensitive()
            .appendPattern("uuuu-M-d[['T'][' ']H:m[:s][.SSS][.SS][.S]]")
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HHMM", "Z")
            .optionalEnd()
            .optionalStart()
            .appendOffset("+HH", "Z")
            .optionalEnd()
            .optionalStart()
            .appendLiteral(' ')
            .appendZoneId()
            .optionalEnd()
            .toFormatter(Locale.ROOT)
            .withResolverStyle(ResolverStyle.STRICT);

    private DateText() {}

    /** Milliseconds of a text as people write dates; UTC where it names no zone. */
    static long parse(String text) {
        return parse(text, null);
    }

    static long parse(String text, @Nullable ZoneId zone) {
        try {
            TemporalAccessor parsed = written(text);
            return millis(
                    text,
                    parsed.query(TemporalQueries.localDate()),
                    parsed.query(TemporalQueries.localTime()),
                    parsed.query(TemporalQueries.zone()),
                    zone);
        } catch (DateTimeException | ArithmeticException e) {
            throw unreadable(text);
        }
    }

    /** A zone named by the text and one given beside it exclude each other. */
    static long millis(
            String text,
            @Nullable LocalDate date,
            @Nullable LocalTime time,
            @Nullable ZoneId named,
            @Nullable ZoneId zone) {
        if (named != null && zone != null) {
            throw failure(
                    "you cannot pass in a date/time string with time zone information ('%s') together with a "
                            + "timezone argument",
                    text);
        }
        if (date == null) {
            throw failure("an incomplete date/time string has been found: '%s'", text);
        }
        ZoneId used = named != null ? named : zone != null ? zone : ZoneOffset.UTC;
        return date.atTime(time == null ? LocalTime.MIDNIGHT : time)
                .atZone(used)
                .toInstant()
                .toEpochMilli();
    }

    private static TemporalAccessor written(String text) {
        try {
            return ISO.parse(text);
        } catch (DateTimeParseException e) {
            return ISO.parse(WrittenDate.iso(text));
        }
    }

    static CommandException unreadable(String text) {
        return failure("Error parsing date string '%s'", text);
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
                case 'Z' -> {
                    int minutes = date.getOffset().getTotalSeconds() / 60;
                    out.append(minutes < 0 ? '-' : '+').append(padded(Math.abs(minutes), 3));
                }
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
            throw Types.wrong(18537, "$dateToString is only defined on year 0-9999, tried to use year %d", year);
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
        int year = utc.getYear();
        String years = year < 0 ? "-" + padded(-year, 4) : padded(year, 4);
        return years + "-" + padded(utc.getMonthValue(), 2) + "-" + padded(utc.getDayOfMonth(), 2) + "T"
                + padded(utc.getHour(), 2) + ":" + padded(utc.getMinute(), 2) + ":" + padded(utc.getSecond(), 2) + "."
                + padded(utc.get(ChronoField.MILLI_OF_SECOND), 3) + "Z";
    }
}
