package dev.semel.wire.message;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonValidation;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sections of one OP_MSG, read front to back. */
final class Sections {
    /** More than any command has uses for. */
    private static final int SEQUENCES_MAX = 16;

    private final byte[] bytes;
    private final int end;
    private int at;

    Sections(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    Message message(int requestId, int responseTo, int flags) {
        @Nullable RawDocument body = null;
        List<Message.Sequence> sequences = List.of();
        while (at < end) {
            int kind = bytes[at++];
            switch (kind) {
                case 0 -> {
                    if (body != null) {
                        throw invalid(40430, "Multiple body sections in message");
                    }
                    body = document(end);
                }
                case 1 -> {
                    if (sequences.isEmpty()) {
                        sequences = new ArrayList<>(2);
                    }
                    add(sequences, sequence());
                }
                default -> throw invalid(40432, "Unknown section kind " + (kind & 0xFF));
            }
        }
        if (body == null) {
            throw invalid(40587, "OP_MSG messages must have a body");
        }
        for (Message.Sequence each : sequences) {
            if (body.has(each.name())) {
                throw invalid(40433, "Duplicate field between body and document sequence " + each.name());
            }
        }
        return new Message.OpMsg(requestId, responseTo, flags, body, sequences);
    }

    private void add(List<Message.Sequence> sequences, Message.Sequence next) {
        if (sequences.size() == SEQUENCES_MAX) {
            throw new CommandException(ErrorCode.TooManyDocumentSequences, "Too many document sequences in OP_MSG");
        }
        if (sequences.stream().anyMatch(each -> each.name().equals(next.name()))) {
            throw invalid(40431, "Duplicate document sequence: " + next.name());
        }
        sequences.add(next);
    }

    private Message.Sequence sequence() {
        if (end - at < 4) {
            throw new CommandException(ErrorCode.InvalidBSON, "Document sequence without its size");
        }
        int length = LittleEndian.int32(bytes, at);
        if (length < 5 || length > end - at) {
            throw new CommandException(
                    ErrorCode.InvalidBSON, "Document sequence of %d bytes does not fit its message", length);
        }
        int sequenceEnd = at + length;
        int nameEnd = cStringEnd(bytes, at + 4, sequenceEnd);
        String name = new String(bytes, at + 4, nameEnd - at - 4, StandardCharsets.UTF_8);
        at = nameEnd + 1;
        List<RawDocument> documents = new ArrayList<>();
        while (at < sequenceEnd) {
            documents.add(document(sequenceEnd));
        }
        return new Message.Sequence(name, documents);
    }

    private RawDocument document(int limit) {
        RawDocument document = BsonValidation.check(bytes, at, limit);
        at += document.length();
        return document;
    }

    /** The numbers are those that MongoDB gives to the rules of an OP_MSG. */
    private static CommandException invalid(int code, String message) {
        return new CommandException(ErrorCode.location(code), message);
    }

    /** Where the text ends that begins here, at its null. */
    static int cStringEnd(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] == 0) {
                return i;
            }
        }
        throw new CommandException(ErrorCode.InvalidBSON, "a string without end");
    }
}
