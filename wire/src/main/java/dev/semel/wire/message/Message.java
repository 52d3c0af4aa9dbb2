package dev.semel.wire.message;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one frame says, decompressed. */
public sealed interface Message {
    int requestId();

    /** The request that this answers; 0 in a request. */
    int responseTo();

    /** OP_MSG, opcode 2013: one body, and beside it sequences of documents that belong into it. */
    record OpMsg(int requestId, int responseTo, int flags, RawDocument body, List<Sequence> sequences)
            implements Message {
        public static final int OPCODE = 2013;
        public static final int CHECKSUM_PRESENT = 1;
        public static final int MORE_TO_COME = 1 << 1;
        public static final int EXHAUST_ALLOWED = 1 << 16;

        /** A message of a body alone. */
        public static OpMsg of(int requestId, int responseTo, RawDocument body) {
            return new OpMsg(requestId, responseTo, 0, body, List.of());
        }

        public boolean moreToCome() {
            return (flags & MORE_TO_COME) != 0;
        }

        public boolean exhaustAllowed() {
            return (flags & EXHAUST_ALLOWED) != 0;
        }

        /** The documents of the sequence with this name, or null if there is none. */
        public @Nullable List<RawDocument> sequence(String name) {
            for (Sequence each : sequences) {
                if (each.name().equals(name)) {
                    return each.documents();
                }
            }
            return null;
        }
    }

    /** A section of kind 1. */
    record Sequence(String name, List<RawDocument> documents) {}

    /** OP_QUERY, opcode 2004: what the first hello of an old-fashioned handshake comes in. */
    record OpQuery(int requestId, int responseTo, int flags, String collection, RawDocument query) implements Message {
        public static final int OPCODE = 2004;
    }

    /** Opcode 2005, by which old drivers asked for the next documents of a query. */
    int GET_MORE_OPCODE = 2005;

    /** What is answered to opcodes that MongoDB gave up. */
    static CommandException unsupported(String opcode) {
        return new CommandException(
                ErrorCode.location(5739101),
                "%s is no longer supported. The client driver may require an upgrade.",
                opcode);
    }

    /** OP_REPLY, opcode 1: the answer to {@link OpQuery}. */
    record OpReply(int requestId, int responseTo, int flags, RawDocument document) implements Message {
        public static final int OPCODE = 1;
        public static final int QUERY_FAILURE = 1 << 1;

        /** As old drivers expect a failure: marked by a flag, the message in its own field. */
        public static OpReply failure(int requestId, int responseTo, CommandException reason) {
            return new OpReply(
                    requestId,
                    responseTo,
                    QUERY_FAILURE,
                    new BsonWriter(128)
                            .put("$err", reason.text())
                            .put("code", reason.code().number())
                            .put("ok", 0.0)
                            .finish());
        }
    }
}
