package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a date, {@code $year} to {@code $isoWeekYear}, {@code $dateToParts}, and {@code $dateToString} and
 * {@code $dateFromString}. ObjectIds and timestamps are dates as well.
 */
final class Dates {
    private Dates() {}

    /** The date as MongoDB prints it. */
    static String text(long millis) {
        return DateText.iso(LocalDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC));
    }

    /** The instant a value stands for. */
    static long millis(@Nullable Value value) {
        return switch (value) {
            case Value.Date(long millis) -> millis;
            case Value.Timestamp timestamp -> Integer.toUnsignedLong(timestamp.seconds()) * 1000;
            case Value.Oid(var id) -> Integer.toUnsignedLong(id.seconds()) * 1000;
            case null, default ->
                throw Types.wrong(16006, "can't convert from BSON type %s to Date", Types.name(value));
        };
    }

    static ZoneId zone(@Nullable Value value) {
        return switch (value) {
            case null -> ZoneOffset.UTC;
            case Value.Str(var text) -> ZoneNames.identified(text.toString());
            default -> throw Types.wrong(40517, "timezone must evaluate to a string, found %s", Types.name(value));
        };
    }

    // ---- one part

    static final Form YEAR = part(ZonedDateTime::getYear);
    static final Form MONTH = part(ZonedDateTime::getMonthValue);
    static final Form DAY_OF_MONTH = part(ZonedDateTime::getDayOfMonth);
    static final Form DAY_OF_WEEK = part(date -> date.getDayOfWeek().getValue() % 7 + 1);
    static final Form DAY_OF_YEAR = part(ZonedDateTime::getDayOfYear);
    static final Form HOUR = part(ZonedDateTime::getHour);
    static final Form MINUTE = part(ZonedDateTime::getMinute);
    static final Form SECOND = part(ZonedDateTime::getSecond);
    static final Form MILLISECOND = part(date -> date.get(ChronoField.MILLI_OF_SECOND));
    static final Form WEEK = part(DateText::week);
    static final Form ISO_WEEK = part(date -> date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
    static final Form ISO_DAY_OF_WEEK = part(date -> date.getDayOfWeek().getValue());

    static final Form ISO_WEEK_YEAR = form(date -> Value.of((long) date.get(IsoFields.WEEK_BASED_YEAR)));

    private static Form part(Function<ZonedDateTime, Integer> part) {
        return form(date -> Value.of(part.apply(date)));
    }

    private static final Parameters PART = Parameters.of(40539, 40535)
            .saying("unrecognized option to %s: \"%s\"")
            .required("date", 40539)
            .optional("timezone");

    private static Form form(Function<ZonedDateTime, Value> part) {
        return (name, operand, parser) -> new Expression.Call(
                new dev.semel.query.expression.Function(name, values -> part(values, part)),
                partArguments(name, operand, parser));
    }

    /** A date, an array of one date, or an object with the date and a time zone. */
    private static List<Expression> partArguments(String name, Value operand, Parser parser) {
        if (operand instanceof Value.Doc(var document)) {
            var first = document.first();
            if (first == null || !first.name().startsWith("$")) {
                return PART.parse(name, operand).positional(parser);
            }
        }
        List<Expression> arguments = parser.operands(operand);
        if (arguments.size() != 1) {
            throw Types.wrong(
                    40536,
                    "%s accepts exactly one argument if given an array, but was given %d",
                    name,
                    arguments.size());
        }
        return arguments;
    }

    private static Value part(@Nullable Value[] arguments, Function<ZonedDateTime, Value> part) {
        Value zone = arguments.length > 1 ? arguments[1] : null;
        if (Types.isNullish(arguments[0]) || (zone != null && Types.isNullish(zone))) {
            return Value.NULL;
        }
        return part.apply(at(millis(arguments[0]), zone(zone)));
    }

    private static ZonedDateTime at(long millis, ZoneId zone) {
        return Instant.ofEpochMilli(millis).atZone(zone);
    }

    // ---- all parts

    private static final Parameters TO_PARTS = Parameters.of(40524, 40520)
            .saying(Parameters.ARGUMENT)
            .required("date", 40522)
            .optional("timezone")
            .optional("iso8601", Value.FALSE);

    static Expression toParts(String name, Value operand, Parser parser) {
        return Form.named(TO_PARTS, Dates::toParts).parse(name, operand, parser);
    }

    private static Value toParts(@Nullable Value[] arguments) {
        if (Types.isNullish(arguments[0])
                || (arguments[1] != null && Types.isNullish(arguments[1]))
                || Types.isNullish(arguments[2])) {
            return Value.NULL;
        }
        if (!(arguments[2] instanceof Value.Bool)) {
            throw Types.wrong(40521, "iso8601 must evaluate to a bool, found %s", Types.name(arguments[2]));
        }
        ZonedDateTime date = at(millis(arguments[0]), zone(arguments[1]));
        BsonWriter parts = new BsonWriter(128);
        if (Types.isTrue(arguments[2])) {
            parts.put("isoWeekYear", date.get(IsoFields.WEEK_BASED_YEAR))
                    .put("isoWeek", date.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR))
                    .put("isoDayOfWeek", date.getDayOfWeek().getValue());
        } else {
            parts.put("year", date.getYear()).put("month", date.getMonthValue()).put("day", date.getDayOfMonth());
        }
        return Value.of(parts.put("hour", date.getHour())
                .put("minute", date.getMinute())
                .put("second", date.getSecond())
                .put("millisecond", date.get(ChronoField.MILLI_OF_SECOND))
                .finish());
    }

    // ---- text

    private static final Parameters TO_STRING = Parameters.of(18629, 18534)
            .saying(Parameters.ARGUMENT)
            .required("date", 18628)
            .optional("format")
            .optional("timezone")
            .optional("onNull");

    static Expression toString(String name, Value operand, Parser parser) {
        return withFormat(name, TO_STRING.parse(name, operand), "date", false, Dates::toString, parser);
    }

    private static Value toString(@Nullable Value[] arguments, boolean formatted, boolean zoned) {
        if ((formatted && Types.isNullish(arguments[1])) || (zoned && Types.isNullish(arguments[2]))) {
            return Value.NULL;
        }
        ZoneId zone = zone(arguments[2]);
        String format = DateText.isUtc(zone) ? "%Y-%m-%dT%H:%M:%S.%LZ" : "%Y-%m-%dT%H:%M:%S.%L";
        if (formatted) {
            format = format("$dateToString", 18533, arguments[1]);
        }
        return Value.of(DateText.write(format, at(millis(arguments[0]), zone)));
    }

    /** What makes a text of a date, or a date of a text: {@code null} where a format or a zone is given and is null. */
    private interface Formatted {
        Value apply(@Nullable Value[] arguments, boolean formatted, boolean zoned);
    }

    private static Expression withFormat(
            String name, Parameters.Given given, String of, boolean mayFail, Formatted work, Parser parser) {
        boolean zoned = given.has("timezone");
        boolean formatted = given.has("format");
        Expression missing = new Expression.Literal(null);
        Expression format = given.optional("format", parser);
        Expression zone = given.optional("timezone", parser);
        var call = new Expression.Call(
                new dev.semel.query.expression.Function(name, values -> work.apply(values, formatted, zoned)),
                List.of(
                        given.expression(of, parser),
                        format == null ? missing : format,
                        zone == null ? missing : zone));
        return Forms.attempt(given, call, parser, mayFail);
    }

    private static String format(String function, int code, @Nullable Value value) {
        if (!(value instanceof Value.Str(var text))) {
            throw Types.wrong(
                    code,
                    "%s requires that 'format' be a string, found: %s with value %s",
                    function,
                    Types.name(value),
                    Types.show(value));
        }
        return text.toString();
    }

    private static final Parameters FROM_STRING = Parameters.of(40540, 40541)
            .saying(Parameters.ARGUMENT)
            .required("dateString", 40542)
            .optional("format")
            .optional("timezone")
            .optional("onError")
            .optional("onNull");

    static Expression fromString(String name, Value operand, Parser parser) {
        return withFormat(name, FROM_STRING.parse(name, operand), "dateString", true, Dates::fromString, parser);
    }

    private static Value fromString(@Nullable Value[] arguments, boolean formatted, boolean zoned) {
        if ((formatted && Types.isNullish(arguments[1])) || (zoned && Types.isNullish(arguments[2]))) {
            return Value.NULL;
        }
        DatePattern pattern = formatted ? DatePattern.of(format("$dateFromString", 40684, arguments[1])) : null;
        if (!(arguments[0] instanceof Value.Str(var text))) {
            throw new CommandException(
                    ErrorCode.ConversionFailure,
                    "$dateFromString requires that 'dateString' be a string, found: %s with value %s",
                    Types.name(arguments[0]),
                    Types.show(arguments[0]));
        }
        ZoneId zone = zoned ? zone(arguments[2]) : null;
        return new Value.Date(
                pattern == null ? DateText.parse(text.toString(), zone) : pattern.parse(text.toString(), zone));
    }
}
