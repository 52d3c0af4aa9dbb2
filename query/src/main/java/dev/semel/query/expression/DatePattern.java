package dev.semel.query.expression;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** The percent format of {@code $dateFromString}, which reads a date: once over the format, once over the text. */
final class DatePattern {
    private static final String SPECIFIERS = "YmdHMSLjbBGVuzZ%";

    private final String format;

    private DatePattern(String format) {
        this.format = format;
    }

    /** Refuses a format that is wrong for every text. */
    static DatePattern of(String format) {
        for (int i = 0; i < format.length(); i++) {
            if (format.charAt(i) == '%') {
                char specifier = DateText.specifier(format, ++i);
                if (SPECIFIERS.indexOf(specifier) < 0) {
                    throw DateText.invalid(specifier);
                }
            }
        }
        return new DatePattern(format);
    }

    long parse(String text, @Nullable ZoneId zone) {
        try {
            var reading = new Reading(text);
            for (int i = 0; i < format.length(); i++) {
                char at = format.charAt(i);
                if (at == '%') {
                    reading.part(format.charAt(++i));
                } else {
                    reading.literal(at);
                }
            }
            return reading.millis(zone);
        } catch (DateTimeException | ArithmeticException e) {
            throw DateText.unreadable(text);
        }
    }

    /** What of the text has been read; a part that it does not have is -1. */
    private static final class Reading {
        private final String text;
        private int at;
        private int year = -1;
        private int month = -1;
        private int day = -1;
        private int dayOfYear = -1;
        private int isoYear = -1;
        private int isoWeek = -1;
        private int isoDay = -1;
        private int hour;
        private int minute;
        private int second;
        private int millisecond;
        private @Nullable ZoneId zone;

        Reading(String text) {
            this.text = text;
        }

        void literal(char expected) {
            if (at == text.length() || text.charAt(at) != expected) {
                throw DateText.unreadable(text);
            }
            at++;
        }

        void part(char specifier) {
            switch (specifier) {
                case 'Y' -> year = number(4, 4);
                case 'm' -> month = number(1, 2);
                case 'd' -> day = number(1, 2);
                case 'H' -> hour = number(1, 2);
                case 'M' -> minute = number(2, 2);
                case 'S' -> second = number(2, 2);
                case 'L' -> millisecond = fraction();
                case 'j' -> dayOfYear = number(1, 3);
                case 'b', 'B' -> month = WrittenDate.month(word(), text);
                case 'G' -> isoYear = number(1, 4);
                case 'V' -> isoWeek = number(1, 2);
                case 'u' -> isoDay = number(1, 1);
                case 'z' -> zone = zone();
                case 'Z' -> zone = minutesFromUtc();
                default -> literal('%');
            }
        }

        private int number(int digitsMin, int digitsMax) {
            int from = at;
            while (at < text.length() && at - from < digitsMax && isDigit(text.charAt(at))) {
                at++;
            }
            if (at - from < digitsMin) {
                throw DateText.unreadable(text);
            }
            return Integer.parseInt(text.substring(from, at));
        }

        /** The digits behind a point: 8 are 800 milliseconds. */
        private int fraction() {
            int from = at;
            int number = number(1, 3);
            for (int digits = at - from; digits < 3; digits++) {
                number *= 10;
            }
            return number;
        }

        private String word() {
            int from = at;
            while (at < text.length() && isLetter(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        /** An offset or a name, perhaps after blanks. */
        private ZoneId zone() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            int from = at;
            while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)) || isSign(at))) {
                at++;
            }
            ZoneId named = ZoneNames.written(text.substring(from, at));
            if (named == null) {
                throw from < at && isLetter(text.charAt(from))
                        ? DateText.zoneName(text, from)
                        : DateText.unreadable(text);
            }
            return named;
        }

        private boolean isSign(int index) {
            char sign = text.charAt(index);
            return sign == '+' || sign == '-' || sign == ':';
        }

        private ZoneOffset minutesFromUtc() {
            boolean west = at < text.length() && text.charAt(at) == '-';
            literal(west ? '-' : '+');
            int seconds = number(1, 4) * 60;
            return ZoneOffset.ofTotalSeconds(west ? -seconds : seconds);
        }

        private static boolean isDigit(char at) {
            return at >= '0' && at <= '9';
        }

        private static boolean isLetter(char at) {
            return (at >= 'a' && at <= 'z') || (at >= 'A' && at <= 'Z');
        }

        long millis(@Nullable ZoneId given) {
            if (at < text.length()) {
                throw DateText.unreadable(text);
            }
            LocalTime time = LocalTime.of(hour, minute, second, millisecond * 1_000_000);
            return DateText.millis(text, date(), time, zone, given);
        }

        private @Nullable LocalDate date() {
            boolean natural = year >= 0 || month >= 0 || day >= 0 || dayOfYear >= 0;
            if (isoYear >= 0 || isoWeek >= 0 || isoDay >= 0) {
                if (natural || isoYear < 0) {
                    throw DateText.unreadable(text);
                }
                return isoDate();
            }
            if (year >= 0 && dayOfYear >= 0) {
                return LocalDate.ofYearDay(year, dayOfYear);
            }
            return year < 0 || month < 0 || day < 0 ? null : LocalDate.of(year, month, day);
        }

        /** The first Monday where week and day are missing; a week 53 that the year does not have is the next one's. */
        private LocalDate isoDate() {
            LocalDate inFirstWeek = LocalDate.of(isoYear, 1, 4);
            return inFirstWeek
                    .minusDays(inFirstWeek.getDayOfWeek().getValue() - 1)
                    .plusDays(7L * ((isoWeek < 0 ? 1 : isoWeek) - 1))
                    .plusDays((isoDay < 0 ? 1 : isoDay) - 1);
        }
    }
}
