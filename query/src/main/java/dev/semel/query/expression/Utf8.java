package dev.semel.query.expression;

import dev.semel.wire.bson.Text;

/** Strings as bytes: positions and searches without decoding. */
final class Utf8 {
    /** Texts that are compared again and again in vain are searched in another way. */
    private static final long STEPS_PER_BYTE = 8;

    private Utf8() {}

    static boolean isContinuation(Text text, int at) {
        return at < text.length() && (text.byteAt(at) & 0xC0) == 0x80;
    }

    /** In code points. */
    static int length(Text text) {
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            if ((text.byteAt(i) & 0xC0) != 0x80) {
                length++;
            }
        }
        return length;
    }

    /** Where that many code points after a position end; the end of the text if there are fewer. */
    static int offset(Text text, int from, int codePoints) {
        int at = from;
        for (int remaining = codePoints; remaining > 0 && at < text.length(); remaining--) {
            at++;
            while (isContinuation(text, at)) {
                at++;
            }
        }
        return at;
    }

    static Text slice(Text text, int from, int to) {
        byte[] bytes = new byte[to - from];
        for (int i = from; i < to; i++) {
            bytes[i - from] = text.byteAt(i);
        }
        return new Text(bytes, 0, bytes.length);
    }

    /** Where the wanted bytes begin, wholly between the two positions; -1 if they are not there. */
    static int find(Text text, Text wanted, int from, int to) {
        int last = to - wanted.length();
        long steps = 0;
        for (int at = from; at <= last; at++) {
            int i = 0;
            while (i < wanted.length() && text.byteAt(at + i) == wanted.byteAt(i)) {
                i++;
            }
            if (i == wanted.length()) {
                return at;
            }
            steps += i;
            if (steps > STEPS_PER_BYTE * (at - from + wanted.length())) {
                return RollingSearch.find(text, wanted, at + 1, to);
            }
        }
        return -1;
    }
}
