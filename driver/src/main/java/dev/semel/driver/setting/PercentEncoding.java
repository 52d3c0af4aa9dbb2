package dev.semel.driver.setting;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Percent-encoding of RFC 3986. A plus sign is not decoded to a space. */
final class PercentEncoding {
    private PercentEncoding() {}

    static String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        var decoded = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                decoded.write(bytes[i]);
                continue;
            }
            int high = i + 1 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
            if (high < 0 || low < 0) {
                throw new IllegalArgumentException("A percent sign must be followed by two hexadecimal digits");
            }
            decoded.write(high << 4 | low);
            i += 2;
        }
        return decoded.toString(StandardCharsets.UTF_8);
    }
}
