package dev.semel.query.expression;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Value;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Binary data as text and back, in the formats of {@code $convert}: auto, base64, base64url, hex, utf8, uuid. */
final class BinaryText {
    private BinaryText() {}

    static String text(Value.Binary binary, @Nullable Value format) {
        byte[] bytes = binary.bytes();
        String name = name(format);
        if (name.equals("uuid") || (name.equals("auto") && binary.subtype() == 4)) {
            if (bytes.length != 16) {
                throw Conversion.failure("A UUID has 16 bytes, not %d,", bytes.length);
            }
            String hex = HexFormat.of().formatHex(bytes);
            return String.join(
                    "-",
                    hex.substring(0, 8),
                    hex.substring(8, 12),
                    hex.substring(12, 16),
                    hex.substring(16, 20),
                    hex.substring(20));
        }
        return switch (name) {
            case "auto", "base64" -> Base64.getEncoder().encodeToString(bytes);
            case "base64url" -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
            case "hex" -> HexFormat.of().withUpperCase().formatHex(bytes);
            case "utf8" -> new String(bytes, StandardCharsets.UTF_8);
            default -> throw unknown(name);
        };
    }

    static byte[] parse(Value input, @Nullable Value format) {
        if (!(input instanceof Value.Str(var text))) {
            throw Conversion.failure("Unsupported conversion from %s to binData", input.type());
        }
        String name = name(format);
        try {
            return switch (name) {
                case "base64" -> Base64.getDecoder().decode(text.toString());
                case "base64url" -> Base64.getUrlDecoder().decode(text.toString());
                case "hex" -> HexFormat.of().parseHex(text.toString());
                case "utf8" -> text.toBytes();
                case "uuid", "auto" -> uuid(text.toString());
                default -> throw unknown(name);
            };
        } catch (IllegalArgumentException e) {
            throw Conversion.failure("Input string is not in the format '%s': %s,", name, text);
        }
    }

    private static byte[] uuid(String text) {
        UUID uuid = UUID.fromString(text);
        if (!uuid.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException(text);
        }
        return HexFormat.of().parseHex(uuid.toString().replace("-", ""));
    }

    private static String name(@Nullable Value format) {
        if (Types.isNullish(format)) {
            throw Types.wrong(
                    4341115, "Format must be specified when converting between binary data and string in $convert");
        }
        if (!(format instanceof Value.Str(var name))) {
            throw Types.wrong(4341114, "$convert requires that 'format' be a string, found: %s", Types.name(format));
        }
        return name.toString();
    }

    private static CommandException unknown(String name) {
        return new CommandException(ErrorCode.BadValue, "Invalid 'format' argument for $convert: %s", name);
    }
}
