package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonType;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binary data as text and back, in the formats of {@code $convert}. */
final class BinaryText {
    private static final byte UUID_SUBTYPE = 4;
    private static final int UUID_BYTES = 16;

    private BinaryText() {}

    static String text(Value.Binary binary, @Nullable BinaryFormat format) {
        byte[] bytes = binary.bytes();
        boolean isUuid = binary.subtype() == UUID_SUBTYPE && bytes.length == UUID_BYTES;
        return switch (given(format, binary, BsonType.STRING)) {
            case AUTO -> isUuid ? uuidText(bytes) : Base64.getEncoder().encodeToString(bytes);
            case BASE64 -> Base64.getEncoder().encodeToString(bytes);
            case BASE64URL -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            case HEX -> HexFormat.of().withUpperCase().formatHex(bytes);
            case UTF8 -> utf8(binary);
            case UUID -> {
                if (!isUuid) {
                    throw noText(binary, "BinData does not represent a valid UUID");
                }
                yield uuidText(bytes);
            }
        };
    }

    private static String utf8(Value.Binary binary) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(binary.bytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw noText(binary, "BinData does not represent a valid UTF-8 string");
        }
    }

    private static String uuidText(byte[] bytes) {
        String hex = HexFormat.of().formatHex(bytes);
        return String.join(
                "-",
                hex.substring(0, 8),
                hex.substring(8, 12),
                hex.substring(12, 16),
                hex.substring(16, 20),
                hex.substring(20));
    }

    private static CommandException noText(Value.Binary binary, String why) {
        return new CommandException(
                ErrorCode.ConversionFailure,
                "Failed to convert '%s' to string in $convert with no onError value: %s",
                Types.show(binary),
                why);
    }

    /** What becomes of a value as binary data of that subtype. */
    static Value binary(Value input, @Nullable BinaryFormat format, byte subtype) {
        return switch (input) {
            case Value.Str(var text) ->
                new Value.Binary(subtype, parse(text, given(format, input, BsonType.BINARY), subtype));
            case Value.Binary(byte old, byte[] bytes) -> {
                if (old != subtype) {
                    throw new CommandException(
                            ErrorCode.ConversionFailure,
                            "Conversions between different BinData subtypes are not supported");
                }
                yield input;
            }
            default -> throw Conversion.unsupported(input, BsonType.BINARY);
        };
    }

    private static BinaryFormat given(@Nullable BinaryFormat format, Value input, BsonType to) {
        if (format == null) {
            // Spelled as MongoDB spells it.
            throw Types.wrong(
                    4341115,
                    "Format must be speficied when converting from '%s' to '%s'",
                    Types.name(input),
                    to.alias());
        }
        return format;
    }

    /** The bytes that a text stands for. UUIDs have a format and a subtype of their own, one not without the other. */
    private static byte[] parse(Text text, BinaryFormat format, byte subtype) {
        if ((format == BinaryFormat.UUID) != (subtype == UUID_SUBTYPE)) {
            throw unparsable(text, "Only the 'uuid' format is allowed with the UUID subtype");
        }
        try {
            return switch (format) {
                case BASE64 -> Base64.getDecoder().decode(text.toString());
                case BASE64URL -> Base64.getUrlDecoder().decode(text.toString());
                case HEX -> HexFormat.of().parseHex(text.toString());
                case UTF8 -> text.toBytes();
                case UUID -> uuid(text.toString());
                case AUTO -> throw unparsable(text, "Invalid format 'auto'");
            };
        } catch (IllegalArgumentException e) {
            throw unparsable(text, "Input is not in the format '%s'".formatted(format));
        }
    }

    private static CommandException unparsable(Text text, String why) {
        return Conversion.unparsable("BinData", text.toString(), why);
    }

    private static byte[] uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return HexFormat.of().parseHex(uuid.toString().replace("-", ""));
    }
}
