package dev.semel.server.once;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * By which a command is recognised when its token comes again: a hash of everything that determines its effect and its
 * answer, and of nothing else.
 *
 * @param digest of all of it
 * @param withoutIds of all but the {@code _id}s of inserted documents: only for a better message, so a few bytes do
 * @param statements how many there are
 */
public record Fingerprint(TokenCommand command, byte[] digest, byte[] withoutIds, int statements) {
    static final int SHORT_BYTES = 8;

    private static final byte[] ID = "_id".getBytes(StandardCharsets.UTF_8);

    /** Takes in a command, part by part. */
    public static final class Maker {
        private final TokenCommand command;
        private final MessageDigest all = Sha256.start();
        private final MessageDigest withoutIds = Sha256.start();

        public Maker(TokenCommand command) {
            this.command = command;
            both(new byte[] {(byte) command.ordinal()}, 0, 1);
        }

        public void add(RawDocument part) {
            both(part.array(), part.offset(), part.length());
        }

        /** The place of the {@code _id} does not count, because drivers choose it. */
        public void addInserted(RawDocument document) {
            for (ElementCursor at = document.cursor(); at.next(); ) {
                if (at.nameIs(ID)) {
                    int start = at.elementStart();
                    int end = at.valueEnd();
                    int from = document.offset() + Integer.BYTES;
                    int to = document.offset() + document.length();
                    lengths(end - start, document.length());
                    all.update(document.array(), start, end - start);
                    both(document.array(), from, start - from);
                    both(document.array(), end, to - end);
                    return;
                }
            }
            lengths(0, document.length());
            both(document.array(), document.offset() + Integer.BYTES, document.length() - Integer.BYTES);
        }

        private void lengths(int ofId, int ofAll) {
            all.update(ByteBuffer.allocate(8).putInt(ofId).putInt(ofAll).array());
            withoutIds.update(ByteBuffer.allocate(4).putInt(ofAll - ofId).array());
        }

        private void both(byte[] bytes, int offset, int length) {
            all.update(bytes, offset, length);
            withoutIds.update(bytes, offset, length);
        }

        public Fingerprint finish(int statements) {
            return new Fingerprint(command, all.digest(), Arrays.copyOf(withoutIds.digest(), SHORT_BYTES), statements);
        }
    }
}
