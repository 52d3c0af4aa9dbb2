package dev.semel.cli.transfer;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Decimal128;
import dev.semel.wire.bson.Value;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What the text of a CSV field becomes. */
enum FieldType {
    /** A number if the text is one in its usual form, else a string. */
    AUTO {
        @Override
        void write(BsonWriter to, String name, String text) {
            // 007 is a code and not the number 7: what would lose a character stays a string.
            boolean whole = WHOLE.matcher(text).matches();
            if (whole && text.length() <= LONG_DIGITS) {
                writeWhole(to, name, Long.parseLong(text));
            } else if (whole || !NUMBER.matcher(text).matches()) {
                to.put(name, text);
            } else {
                to.put(name, Double.parseDouble(text));
            }
        }

        private void writeWhole(BsonWriter to, String name, long value) {
            if (value == (int) value) {
                to.put(name, (int) value);
            } else {
                to.put(name, value);
            }
        }
    },
    STRING {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, text);
        }
    },
    INT32 {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, Integer.parseInt(text.strip()));
        }
    },
    INT64 {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, Long.parseLong(text.strip()));
        }
    },
    DOUBLE {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, Double.parseDouble(text.strip()));
        }
    },
    DECIMAL {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, new Value.Decimal(Decimal128.parse(text.strip())));
        }
    },
    BOOLEAN {
        @Override
        void write(BsonWriter to, String name, String text) {
            switch (text.strip().toLowerCase(Locale.ROOT)) {
                case "true", "1", "t", "yes" -> to.put(name, true);
                case "false", "0", "f", "no" -> to.put(name, false);
                default -> throw new IllegalArgumentException(text);
            }
        }
    },
    /** ISO 8601: a date, a local time taken as UTC, or one with an offset. */
    DATE {
        @Override
        void write(BsonWriter to, String name, String text) {
            to.put(name, new Value.Date(instant(text.strip()).toEpochMilli()));
        }

        private static Instant instant(String text) {
            var iso = text.replace(' ', 'T');
            if (!iso.contains("T")) {
                return LocalDate.parse(iso).atStartOfDay().toInstant(ZoneOffset.UTC);
            }
            try {
                return OffsetDateTime.parse(iso).toInstant();
            } catch (DateTimeParseException e) {
                return LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
            }
        }
    };

    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
    private static final Pattern WHOLE = Pattern.compile("0|-?[1-9][0-9]*");
    /** So many characters always fit a long. */
    private static final int LONG_DIGITS = 18;

    /** @throws RuntimeException when the text is no such value */
    abstract void write(BsonWriter to, String name, String text);

    static Optional<FieldType> named(String name) {
        return Arrays.stream(values()).filter(each -> each.label().equals(name)).findFirst();
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static List<String> labels() {
        return Arrays.stream(values()).map(FieldType::label).toList();
    }
}
