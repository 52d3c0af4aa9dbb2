package dev.semel.query.expression;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAdjusters;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Dates as people write them, {@code July 4, 2017} or {@code 20170704 11:56}, which a conversion without a format takes
 * too. They are brought into the form of ISO 8601 that {@link DateText} reads.
 */
final class WrittenDate {
    private static final String MONTH_NAME =
            "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
                    + "|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";

    private static final Pattern NAME = Pattern.compile(MONTH_NAME, Pattern.CASE_INSENSITIVE);
    private static final String MONTH = "(?<month>" + MONTH_NAME + ")\\.?";

    private static final String DAY = "(?<day>\\d{1,2})(?:st|nd|rd|th)?";
    private static final String YEAR = "(?<year>\\d{4})";
    private static final String WEEKDAY =
            "(?:(?<weekday>mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\\s+)?";

    private static final String SHORT_YEAR = "(?<shortYear>\\d{2})";

    private static final String ZONE = "gmt[+-]\\d{2}(?::?\\d{2})?|[a-z]{3,4}|[a-z]|[a-z]+/[a-z_/]+";

    /** Behind a date: a time, perhaps of twelve hours, with a zone as a name or an offset; or only the name of one. */
    private static final String REST =
            "(?:(?:T|,?\\s+)(?:(?<word>noon|midnight)|(?<hour>\\d{1,2})(?:(?::?(?<minute>\\d{2}))"
                    + "(?:[:.]?(?<second>\\d{2})(?<fraction>[.,]\\d{1,9})?)?)?\\s*(?<half>[ap]\\.?m\\.?(?![a-z]))?)"
                    + "\\s*(?<zone>" + ZONE + "|[+-]\\d{1,2}(?::?\\d{2})?)?|\\s*(?<name>" + ZONE + "))?";

    private static final String TIME = "(?<hour>\\d{1,2}):(?<minute>\\d{2}):(?<second>\\d{2})";

    private static final List<Pattern> FORMS = List.of(
            form(YEAR + "(?<number>\\d{2})(?<day>\\d{2})"),
            form(YEAR + "-?W(?<week>\\d{2})(?:-?(?<dayOfWeek>[1-7]))?"),
            form(YEAR + "[.-]?(?<dayOfYear>\\d{3})"),
            form(YEAR + "[-/](?<number>\\d{1,2})"),
            form(YEAR + "[-/.](?<number>\\d{1,2})[-/.]" + DAY),
            form(DAY + "[-.](?<number>\\d{1,2})[-.]" + YEAR),
            form("(?<number>\\d{1,2})/" + DAY + "/" + YEAR),
            form("(?<number>\\d{1,2})/" + DAY + "/" + SHORT_YEAR),
            form(SHORT_YEAR + "-(?<number>\\d{1,2})-" + DAY),
            form(WEEKDAY + MONTH + "[-.\\s]*" + DAY + "[-.,\\s]+" + YEAR),
            form(WEEKDAY + DAY + "[-.\\s]*" + MONTH + "[-.,\\s]*" + YEAR),
            form(YEAR + "[-.\\s]*" + MONTH + "[-.\\s]*" + DAY),
            form(MONTH + "[-.,\\s]*" + YEAR),
            form(YEAR + "[-.\\s]*" + MONTH),
            // As the C library and web servers write it.
            form(WEEKDAY + MONTH + "\\s+" + DAY, "\\s+" + TIME + "\\s+" + YEAR),
            form(DAY + "/" + MONTH + "/" + YEAR, ":" + TIME + "\\s+(?<zone>[+-]\\d{4})"));

    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");

    private static final List<String> WEEKDAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

    private static final int LENGTH_MAX = 100;

    private WrittenDate() {}

    private static Pattern form(String date) {
        return form(date, REST);
    }

    private static Pattern form(String date, String rest) {
        return Pattern.compile("\\s*" + date + rest + "\\s*", Pattern.CASE_INSENSITIVE);
    }

    /** The same text if it has none of these forms. */
    static String iso(String text) {
        if (text.length() > LENGTH_MAX) {
            return text;
        }
        for (Pattern form : FORMS) {
            Matcher match = form.matcher(text);
            if (match.matches()) {
                return iso(match, text);
            }
        }
        return text;
    }

    private static String iso(Matcher match, String text) {
        StringBuilder iso = new StringBuilder(date(match, text));
        String hour = match.group("hour");
        String word = group(match, "word");
        if (word != null) {
            iso.append(word.equalsIgnoreCase("noon") ? "T12:00" : "T00:00");
        } else if (hour != null) {
            String minute = match.group("minute");
            String half = group(match, "half");
            if (minute == null && half == null) {
                throw DateText.unreadable(text);
            }
            iso.append('T').append(hour24(Integer.parseInt(hour), half, text)).append(':');
            iso.append(minute == null ? "00" : minute);
            seconds(match, iso);
        }
        zone(match, hour != null || word != null, iso, text);
        return iso.toString();
    }

    private static String date(Matcher match, String text) {
        int year = year(match);
        String week = group(match, "week");
        if (week != null) {
            String day = group(match, "dayOfWeek");
            LocalDate first = LocalDate.of(year, 1, 4).with(ChronoField.DAY_OF_WEEK, 1);
            return first.plusWeeks(within(week, 53, text) - 1)
                    .plusDays(day == null ? 0 : Integer.parseInt(day) - 1)
                    .toString();
        }
        String dayOfYear = group(match, "dayOfYear");
        if (dayOfYear != null) {
            return LocalDate.of(year, 1, 1)
                    .plusDays(within(dayOfYear, 366, text) - 1)
                    .toString();
        }
        String number = group(match, "number");
        String day = group(match, "day");
        LocalDate date = LocalDate.of(
                year,
                number == null ? month(match.group("month"), text) : Integer.parseInt(number),
                day == null ? 1 : Integer.parseInt(day));
        String weekday = group(match, "weekday");
        return weekday == null ? date.toString() : next(weekday, date).toString();
    }

    /** A day of the week that the date is not on is the next one, as in MongoDB. */
    private static LocalDate next(String weekday, LocalDate from) {
        int number = WEEKDAYS.indexOf(weekday.substring(0, 3).toLowerCase(Locale.ROOT)) + 1;
        return from.with(TemporalAdjusters.nextOrSame(DayOfWeek.of(number)));
    }

    /** Of two digits, one from 1970 on. */
    private static int year(Matcher match) {
        String digits = group(match, "shortYear");
        if (digits == null) {
            return Integer.parseInt(match.group("year"));
        }
        int year = Integer.parseInt(digits);
        return year < 70 ? 2000 + year : 1900 + year;
    }

    private static int within(String digits, int most, String text) {
        int number = Integer.parseInt(digits);
        if (number < 1 || number > most) {
            throw DateText.unreadable(text);
        }
        return number;
    }

    /** Null if the form does not have it, or the text lacks it. */
    private static @Nullable String group(Matcher match, String name) {
        return match.namedGroups().containsKey(name) ? match.group(name) : null;
    }

    /** The number of a month that a text names, in full or with its first letters. */
    static int month(String name, String text) {
        int index = name.length() < 3 ? -1 : MONTHS.indexOf(name.substring(0, 3).toLowerCase(Locale.ROOT));
        if (index < 0 || !NAME.matcher(name).matches()) {
            throw DateText.unreadable(text);
        }
        return index + 1;
    }

    private static int hour24(int hour, @Nullable String half, String text) {
        if (half == null) {
            return hour;
        }
        if (hour < 1 || hour > 12) {
            throw DateText.unreadable(text);
        }
        return hour % 12 + (half.toLowerCase(Locale.ROOT).startsWith("p") ? 12 : 0);
    }

    private static void seconds(Matcher match, StringBuilder iso) {
        String second = match.group("second");
        if (second == null) {
            return;
        }
        iso.append(':').append(Integer.parseInt(second));
        String fraction = group(match, "fraction");
        if (fraction != null) {
            iso.append('.').append((fraction.substring(1) + "00").substring(0, 3));
        }
    }

    private static void zone(Matcher match, boolean afterTime, StringBuilder iso, String text) {
        String zone = group(match, afterTime ? "zone" : "name");
        if (zone == null) {
            return;
        }
        if (!afterTime) {
            iso.append("T00:00");
        }
        char first = zone.charAt(0);
        if (first == '+' || first == '-') {
            String digits = zone.substring(1).replace(":", "");
            digits = digits.length() % 2 == 0 ? digits : "0" + digits;
            iso.append(first).append(digits, 0, 2).append(':').append(digits.length() > 2 ? digits.substring(2) : "00");
        } else {
            ZoneOffset named = ZoneNames.written(zone);
            if (named == null) {
                throw DateText.zoneName(text, match.start(afterTime ? "zone" : "name"));
            }
            iso.append(named.getId());
        }
    }
}
