package dev.semel.wire.scram;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** One message of a conversation: attributes of one letter each, separated by commas. */
public record ScramMessage(String text, Map<String, String> attributes) {
    private static final int LETTER_AND_SIGN = 2;

    public static ScramMessage of(byte[] utf8) {
        return of(new String(utf8, StandardCharsets.UTF_8));
    }

    public static ScramMessage of(String text) {
        Map<String, String> attributes = new HashMap<>();
        for (String each : text.split(",", -1)) {
            if (each.length() >= LETTER_AND_SIGN && each.charAt(1) == '=') {
                attributes.putIfAbsent(each.substring(0, 1), each.substring(LETTER_AND_SIGN));
            }
        }
        return new ScramMessage(text, Map.copyOf(attributes));
    }

    /** Empty if the message does not have it. */
    public String attribute(String letter) {
        return attributes.getOrDefault(letter, "");
    }

    /** The bytes of an attribute in base 64; fails with an {@link IllegalArgumentException}. */
    public byte[] decoded(String letter) {
        return Base64.getDecoder().decode(attribute(letter));
    }

    public static String encoded(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** A name without the characters that separate attributes. */
    public static String escaped(String name) {
        return name.replace("=", "=3D").replace(",", "=2C");
    }

    public static String unescaped(String name) {
        return name.replace("=2C", ",").replace("=3D", "=");
    }
}
