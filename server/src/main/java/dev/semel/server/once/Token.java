package dev.semel.server.once;

import dev.semel.server.auth.UserDigest;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The name that an application has given to a write command so that it is applied once. Tokens are scoped to the user; a
 * string and a binary of the same bytes are two tokens, and so are binaries of different subtypes.
 *
 * @param owner null for clients without a user, who share one scope
 * @param value a string or a binary
 */
public record Token(@Nullable UserDigest owner, Value value) {
    static final int BYTES_MAX = 512;

    /** The path is by which messages call the field. */
    public static Token parse(@Nullable UserDigest owner, @Nullable Value value, String path) {
        if (value == null) {
            throw wrongType(path, "null");
        }
        int length = switch (value) {
            case Value.Str(Text text) -> text.length();
            case Value.Binary(byte subtype, byte[] bytes) -> bytes.length;
            case Value other -> throw wrongType(path, other.type().alias());
        };
        if (length == 0 || length > BYTES_MAX) {
            throw new CommandException(
                    ErrorCode.InvalidLength,
                    "BSON field '%s' must take 1 to %d bytes, found %d",
                    path,
                    BYTES_MAX,
                    length);
        }
        return new Token(owner, value);
    }

    private static CommandException wrongType(String path, String found) {
        return new CommandException(
                ErrorCode.TypeMismatch,
                "BSON field '%s' is the wrong type '%s', expected types '[string, binData]'",
                path,
                found);
    }

    /** What differs for different tokens of a user. */
    byte[] digest() {
        MessageDigest digest = Sha256.start();
        digest.update(type());
        digest.update(subtype());
        return digest.digest(bytes());
    }

    byte type() {
        return (byte) value.type().code();
    }

    byte subtype() {
        return value instanceof Value.Binary(byte subtype, byte[] bytes) ? subtype : 0;
    }

    byte[] bytes() {
        return switch (value) {
            case Value.Str(Text text) -> text.toBytes();
            case Value.Binary(byte subtype, byte[] bytes) -> bytes;
            default -> throw new IllegalStateException("a token of type " + value.type());
        };
    }

    /** As messages show it. */
    @Override
    public String toString() {
        return value instanceof Value.Str(Text text)
                ? "'" + text + "'"
                : HexFormat.of().formatHex(bytes());
    }
}
