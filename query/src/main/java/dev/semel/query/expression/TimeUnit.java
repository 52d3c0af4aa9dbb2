package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the functions on dates count in. */
public enum TimeUnit {
    YEAR(12, 0),
    QUARTER(3, 0),
    MONTH(1, 0),
    WEEK(0, 7),
    DAY(0, 1),
    HOUR(3_600_000L),
    MINUTE(60_000L),
    SECOND(1000L),
    MILLISECOND(1L);

    private final int months;
    private final int days;
    private final long millis;

    TimeUnit(int months, int days) {
        this.months = months;
        this.days = days;
        this.millis = 0;
    }

    TimeUnit(long millis) {
        this.months = 0;
        this.days = 0;
        this.millis = millis;
    }

    /** Of the calendar; 0 for a shorter unit. */
    int months() {
        return months;
    }

    /** Of the calendar, whatever time they take; 0 for another unit. */
    int days() {
        return days;
    }

    /** 0 for a unit of the calendar. */
    long millis() {
        return millis;
    }

    /** By its name, as stages and window functions have it. */
    public static TimeUnit named(String name) {
        for (TimeUnit unit : values()) {
            if (unit.name().toLowerCase(Locale.ROOT).equals(name)) {
                return unit;
            }
        }
        throw new CommandException(ErrorCode.FailedToParse, "unknown time unit value: %s", name);
    }

    /** So many units after a time, in UTC; before it if the number is negative. */
    public long plus(long timeMillis, long units) {
        try {
            return DateArithmetic.plus(Instant.ofEpochMilli(timeMillis).atZone(ZoneOffset.UTC), this, units)
                    .toInstant()
                    .toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw new CommandException(
                    ErrorCode.DurationOverflow,
                    "date overflow while adding %d units of %s",
                    units,
                    name().toLowerCase(Locale.ROOT));
        }
    }

    /** In milliseconds, where it always is the same; 0 for a month and what is made of months. */
    public long typicalMillis() {
        return millis > 0 ? millis : days * Duration.ofDays(1).toMillis();
    }

    /** What an argument says; the code is for one that is no text. */
    static TimeUnit of(String function, @Nullable Value value, int code) {
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(code, "%s requires 'unit' to be a string, but got %s", function, Types.name(value));
        }
        for (TimeUnit unit : values()) {
            if (unit.name().toLowerCase(Locale.ROOT).equals(text.toString())) {
                return unit;
            }
        }
        throw new CommandException(
                ErrorCode.FailedToParse,
                "%s parameter 'unit' value cannot be recognized as a time unit: %s",
                function,
                text);
    }

    /** The first day of weeks: its name or the beginning of it, in any case. */
    static DayOfWeek startOfWeek(String function, @Nullable Value value, int code) {
        if (value == null) {
            return DayOfWeek.SUNDAY;
        }
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(
                    code, "%s requires 'startOfWeek' to be a string, but got %s", function, Types.name(value));
        }
        String name = text.toString().toUpperCase(Locale.ROOT);
        for (DayOfWeek day : DayOfWeek.values()) {
            if (day.name().equals(name) || day.name().substring(0, 3).equals(name)) {
                return day;
            }
        }
        throw new CommandException(
                ErrorCode.FailedToParse,
                "%s parameter 'startOfWeek' value cannot be recognized as a day of a week: %s",
                function,
                text);
    }
}
