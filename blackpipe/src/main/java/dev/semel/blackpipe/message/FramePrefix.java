package dev.semel.blackpipe.message;

import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.message.Message;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What can be read from the beginning of a frame without decoding it. */
public final class FramePrefix {
    /** Enough for the longest command name. */
    public static final int BYTES = 96;

    private static final int OPCODE = 12;
    private static final int RESPONSE_TO = 8;
    private static final int FIRST_SECTION = 20;

    /** After the kind of the section, the length of the document and the type of its first field. */
    private static final int NAME = FIRST_SECTION + 1 + 4 + 1;

    private static final byte[] HELLO = "hello".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] IS_MASTER = "ismaster".getBytes(StandardCharsets.US_ASCII);
    private static final int TO_LOWER_CASE = 0x20;

    private FramePrefix() {}

    public static int responseTo(byte[] bytes, int from) {
        return LittleEndian.int32(bytes, from + RESPONSE_TO);
    }

    /** Whether it is a handshake, or a legacy message, which only handshakes use. */
    public static boolean mayBeHello(byte[] bytes, int from, int to) {
        int opcode = LittleEndian.int32(bytes, from + OPCODE);
        return opcode == Message.OpMsg.OPCODE
                ? isNamed(bytes, from, to, HELLO) || isNamed(bytes, from, to, IS_MASTER)
                : opcode == Message.OpQuery.OPCODE;
    }

    /** Not case-sensitive. */
    private static boolean isNamed(byte[] bytes, int from, int to, byte[] name) {
        int end = from + NAME + name.length;
        if (end >= to || bytes[end] != 0) {
            return false;
        }
        for (int i = 0; i < name.length; i++) {
            if ((bytes[from + NAME + i] | TO_LOWER_CASE) != name[i]) {
                return false;
            }
        }
        return true;
    }

    /** The command's name; null if the frame has to be decoded for it. */
    public static @Nullable String command(byte[] bytes, int from, int to) {
        int name = from + NAME;
        boolean plain = LittleEndian.int32(bytes, from + OPCODE) == Message.OpMsg.OPCODE;
        if (!plain || to <= name || bytes[from + FIRST_SECTION] != 0) {
            return null;
        }
        for (int end = name; end < to; end++) {
            if (bytes[end] == 0) {
                return new String(bytes, name, end - name, StandardCharsets.UTF_8);
            }
        }
        return null;
    }
}
