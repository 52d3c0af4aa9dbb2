package dev.semel.query.expression;

import dev.semel.query.value.Numbers;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * {@code $dateAdd $dateSubtract $dateDiff $dateTrunc $dateFromParts}. Days and longer units are those of the calendar in a
 * time zone, shorter ones pass evenly.
 */
final class DateArithmetic {
    /** From where bins are counted, in the time zone. */
    private static final LocalDate REFERENCE = LocalDate.of(2000, 1, 1);

    private DateArithmetic() {}

    // ---- adding

    static final Parameters ADD = Parameters.of(5166400, 5166401)
            .saying(
                    "Unrecognized argument to %s: %s. Expected arguments are startDate, unit, amount, and optionally"
                            + " timezone.",
                    "%s requires startDate, unit, and amount to be present")
            .required("startDate", 5166402)
            .required("unit", 5166402)
            .required("amount", 5166402)
            .optional("timezone", Value.of("UTC"));

    static Value add(@Nullable Value[] arguments) {
        return plus("$dateAdd", arguments, 1);
    }

    static Value subtract(@Nullable Value[] arguments) {
        return plus("$dateSubtract", arguments, -1);
    }

    private static Value plus(String function, @Nullable Value[] arguments, int sign) {
        if (anyNullish(arguments, 4)) {
            return Value.NULL;
        }
        long start = millis(function, "startDate", arguments[0], 5166403);
        TimeUnit unit = TimeUnit.of(function, arguments[1], 5166404);
        Value amount = arguments[2];
        OptionalLong number = amount == null ? OptionalLong.empty() : Numbers.exactLong(amount);
        if (number.isEmpty()) {
            throw Types.wrong(5166405, "%s expects integer amount of time units", function);
        }
        long units = number.getAsLong();
        if (sign < 0 && units == Long.MIN_VALUE) {
            throw Types.wrong(6045000, "invalid %s 'amount' parameter value: %d", function, units);
        }
        ZonedDateTime date = at(start, Dates.zone(arguments[3]));
        checkAmount(unit, units * sign);
        try {
            return new Value.Date(plus(date, unit, units * sign).toInstant().toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw Types.wrong(5166406, "dateAdd overflowed");
        }
    }

    /** More than lies between any two dates, roughly, has an error of its own. */
    private static void checkAmount(TimeUnit unit, long amount) {
        long days = Long.divideUnsigned(-1, TimeUnit.DAY.typicalMillis()) + 1;
        long most = unit.months() > 0
                ? (days / 365 + 1) * (12 / unit.months())
                : unit.days() > 0 ? days / unit.days() : days * (TimeUnit.DAY.typicalMillis() / unit.millis());
        if (unit != TimeUnit.MILLISECOND && (amount <= -most || amount >= most)) {
            throw Types.wrong(
                    5976500,
                    "invalid dateAdd 'amount' parameter value: %d %s",
                    amount,
                    unit.name().toLowerCase(Locale.ROOT));
        }
    }

    static ZonedDateTime plus(ZonedDateTime date, TimeUnit unit, long amount) {
        if (unit.months() > 0) {
            return date.plusMonths(Math.multiplyExact(amount, unit.months()));
        }
        return unit.days() > 0
                ? date.plusDays(Math.multiplyExact(amount, unit.days()))
                : date.plus(Math.multiplyExact(amount, unit.millis()), ChronoUnit.MILLIS);
    }

    private static boolean anyNullish(@Nullable Value[] arguments, int count) {
        for (int i = 0; i < count; i++) {
            if (Types.isNullish(arguments[i])) {
                return true;
            }
        }
        return false;
    }

    private static long millis(String function, String parameter, @Nullable Value value, int code) {
        return switch (value) {
            case Value.Date date -> Dates.millis(date);
            case Value.Timestamp time -> Dates.millis(time);
            case Value.Oid id -> Dates.millis(id);
            case null, default ->
                throw Types.wrong(
                        code, "%s requires '%s' to be a date, but got %s", function, parameter, Types.name(value));
        };
    }

    private static ZonedDateTime at(long millis, ZoneId zone) {
        return Instant.ofEpochMilli(millis).atZone(zone);
    }

    // ---- differences

    static final Parameters DIFF = Parameters.of(5166301, 5166302)
            .saying(Parameters.ARGUMENT)
            .required("startDate", 5166303)
            .required("endDate", 5166304)
            .required("unit", 5166305)
            .optional("timezone", Value.of("UTC"))
            .optional("startOfWeek", Value.of("sunday"));

    /** How many borders between units lie between two dates. */
    static Value diff(@Nullable Value[] arguments) {
        if (anyNullish(arguments, 4)) {
            return Value.NULL;
        }
        TimeUnit unit = TimeUnit.of("$dateDiff", arguments[2], 5166306);
        if (unit == TimeUnit.WEEK && Types.isNullish(arguments[4])) {
            return Value.NULL;
        }
        ZoneId zone = Dates.zone(arguments[3]);
        ZonedDateTime start = at(millis("$dateDiff", "startDate", arguments[0], 5166307), zone);
        ZonedDateTime end = at(millis("$dateDiff", "endDate", arguments[1], 5166307), zone);
        if (unit.months() > 0) {
            return Value.of(Math.floorDiv(months(end), unit.months()) - Math.floorDiv(months(start), unit.months()));
        }
        if (unit.millis() > 0) {
            return Value.of(units(start, end, unit));
        }
        LocalDate first = start.toLocalDate();
        LocalDate last = end.toLocalDate();
        if (unit == TimeUnit.WEEK) {
            DayOfWeek startOfWeek = TimeUnit.startOfWeek("$dateDiff", arguments[4], 5166311);
            first = first.with(TemporalAdjusters.previousOrSame(startOfWeek));
            last = last.with(TemporalAdjusters.previousOrSame(startOfWeek));
        }
        return Value.of(ChronoUnit.DAYS.between(first, last) / unit.days());
    }

    private static long months(ZonedDateTime date) {
        return date.getLong(ChronoField.PROLEPTIC_MONTH);
    }

    private static long units(ZonedDateTime start, ZonedDateTime end, TimeUnit unit) {
        ChronoUnit chrono = switch (unit) {
            case HOUR -> ChronoUnit.HOURS;
            case MINUTE -> ChronoUnit.MINUTES;
            case SECOND -> ChronoUnit.SECONDS;
            default -> ChronoUnit.MILLIS;
        };
        try {
            return chrono.between(start.truncatedTo(chrono), end.truncatedTo(chrono));
        } catch (ArithmeticException e) {
            throw Types.wrong(5166308, "dateDiff overflowed");
        }
    }

    // ---- bins

    static final Parameters TRUNC = Parameters.of(5439007, 5439008)
            .saying("Unrecognized argument to %s: %s. Expected arguments are date, unit, and optionally, binSize,"
                    + " timezone, startOfWeek")
            .required("date", 5439009)
            .required("unit", 5439010)
            .optional("binSize", Value.of(1))
            .optional("timezone", Value.of("UTC"))
            .optional("startOfWeek", Value.of("sunday"));

    /** The beginning of the bin in which a date lies. */
    static Value truncate(@Nullable Value[] arguments) {
        if (anyNullish(arguments, 4)) {
            return Value.NULL;
        }
        TimeUnit unit = TimeUnit.of("$dateTrunc", arguments[1], 5439013);
        if (unit == TimeUnit.WEEK && Types.isNullish(arguments[4])) {
            return Value.NULL;
        }
        long size = binSize(arguments[2]);
        ZoneId zone = Dates.zone(arguments[3]);
        ZonedDateTime date = at(millis("$dateTrunc", "date", arguments[0], 5439012), zone);
        try {
            return new Value.Date(truncate(date, unit, size, arguments[4], zone).toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw Types.wrong(5439005, "$dateTrunc overflowed");
        }
    }

    private static Instant truncate(
            ZonedDateTime date, TimeUnit unit, long size, @Nullable Value startOfWeek, ZoneId zone) {
        if (unit.millis() > 0) {
            Instant reference = REFERENCE.atStartOfDay(zone).toInstant();
            long bin = Math.multiplyExact(size, unit.millis());
            long passed = ChronoUnit.MILLIS.between(reference, date.toInstant());
            return reference.plusMillis(Math.multiplyExact(Math.floorDiv(passed, bin), bin));
        }
        if (unit.months() > 0) {
            long bin = Math.multiplyExact(size, unit.months());
            long passed = months(date) - REFERENCE.getLong(ChronoField.PROLEPTIC_MONTH);
            return REFERENCE
                    .plusMonths(Math.multiplyExact(Math.floorDiv(passed, bin), bin))
                    .atStartOfDay(zone)
                    .toInstant();
        }
        LocalDate reference = unit == TimeUnit.WEEK
                ? REFERENCE.with(TemporalAdjusters.nextOrSame(TimeUnit.startOfWeek("$dateTrunc", startOfWeek, 5439015)))
                : REFERENCE;
        long bin = Math.multiplyExact(size, unit.days());
        long passed = ChronoUnit.DAYS.between(reference, date.toLocalDate());
        return reference
                .plusDays(Math.multiplyExact(Math.floorDiv(passed, bin), bin))
                .atStartOfDay(zone)
                .toInstant();
    }

    private static long binSize(@Nullable Value value) {
        OptionalLong size = value == null ? OptionalLong.empty() : Numbers.exactLong(value);
        if (size.isEmpty()) {
            throw Types.wrong(
                    5439017,
                    "$dateTrunc requires 'binSize' to be a 64-bit integer, but got value '%s' of type %s",
                    Types.show(value),
                    Types.name(value));
        }
        if (size.getAsLong() <= 0) {
            throw Types.wrong(
                    5439018, "$dateTrunc requires 'binSize' to be greater than 0, but got value %d", size.getAsLong());
        }
        return size.getAsLong();
    }

    // ---- from parts

    private static final List<String> OF_WEEKS = List.of("isoWeekYear", "isoWeek", "isoDayOfWeek");

    private static final Parameters FROM_PARTS = Parameters.of(40519, 40518)
            .saying(Parameters.ARGUMENT)
            .optional("year")
            .optional("isoWeekYear")
            .optional("month", Value.of(1))
            .optional("isoWeek", Value.of(1))
            .optional("day", Value.of(1))
            .optional("isoDayOfWeek", Value.of(1))
            .optional("hour", Value.of(0))
            .optional("minute", Value.of(0))
            .optional("second", Value.of(0))
            .optional("millisecond", Value.of(0))
            .optional("timezone", Value.of("UTC"));

    static Expression fromParts(String name, Value operand, Parser parser) {
        var given = FROM_PARTS.parse(name, operand);
        boolean byWeeks = given.has("isoWeekYear");
        if (!byWeeks && !given.has("year")) {
            throw Types.wrong(40516, "%s requires either 'year' or 'isoWeekYear' to be present", name);
        }
        if (given.has("year") && OF_WEEKS.stream().anyMatch(given::has)) {
            throw Types.wrong(40489, "%s does not allow mixing natural dates with ISO dates", name);
        }
        if (byWeeks && (given.has("month") || given.has("day"))) {
            throw Types.wrong(40525, "%s does not allow mixing ISO dates with natural dates", name);
        }
        int first = byWeeks ? 1 : 0;
        return new Expression.Call(new Function(name, values -> fromParts(values, first)), given.positional(parser));
    }

    /** Parts beyond their range carry over to the next larger ones. */
    private static Value fromParts(@Nullable Value[] values, int first) {
        int[] places = {first, first + 2, first + 4, 6, 7, 8, 9};
        for (int place : places) {
            if (Types.isNullish(values[place])) {
                return Value.NULL;
            }
        }
        if (Types.isNullish(values[10])) {
            return Value.NULL;
        }
        boolean byWeeks = first == 1;
        long year = part(byWeeks ? "isoWeekYear" : "year", values[first]);
        if (year < 1 || year > 9999) {
            throw Types.wrong(
                    40523,
                    "'%s' must evaluate to an integer in the range 1 to 9999, found %d",
                    byWeeks ? "isoWeekYear" : "year",
                    year);
        }
        long second = small(byWeeks ? "isoWeek" : "month", values[first + 2]);
        long third = small(byWeeks ? "isoDayOfWeek" : "day", values[first + 4]);
        LocalDate day = byWeeks
                ? LocalDate.of((int) year, 1, 4)
                        .with(IsoFields.WEEK_OF_WEEK_BASED_YEAR, 1)
                        .with(ChronoField.DAY_OF_WEEK, 1)
                        .plusWeeks(second - 1)
                : LocalDate.of((int) year, 1, 1).plusMonths(second - 1);
        LocalDateTime time = day.plusDays(third - 1)
                .atStartOfDay()
                .plusHours(small("hour", values[6]))
                .plusMinutes(small("minute", values[7]));
        long seconds = part("second", values[8]);
        long millis = part("millisecond", values[9]);
        ZoneId zone = Dates.zone(values[10]);
        try {
            return new Value.Date(time.plusSeconds(seconds)
                    .plus(millis, ChronoUnit.MILLIS)
                    .atZone(zone)
                    .toInstant()
                    .toEpochMilli());
        } catch (DateTimeException | ArithmeticException e) {
            throw new CommandException(
                    ErrorCode.DurationOverflow,
                    "$dateFromParts overflowed with %d seconds and %d milliseconds",
                    seconds,
                    millis);
        }
    }

    private static long part(String name, @Nullable Value value) {
        OptionalLong number = value == null ? OptionalLong.empty() : Numbers.exactLong(value);
        if (number.isEmpty()) {
            throw Types.wrong(
                    40515,
                    "'%s' must evaluate to an integer, found %s with value %s",
                    name,
                    Types.name(value),
                    Types.show(value));
        }
        return number.getAsLong();
    }

    private static long small(String name, @Nullable Value value) {
        long number = part(name, value);
        if (number < Short.MIN_VALUE || number > Short.MAX_VALUE) {
            throw Types.wrong(
                    31034,
                    "'%s' must evaluate to a value in the range [%d, %d]; value %d is not in range",
                    name,
                    Short.MIN_VALUE,
                    Short.MAX_VALUE,
                    number);
        }
        return number;
    }
}
