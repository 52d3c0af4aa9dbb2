package dev.semel.blackpipe.message;

import dev.semel.wire.ErrorCodes;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.util.List;

/** Replies in place of the server's. */
public final class Replies {
    private static final RawDocument OK = new BsonWriter().put("ok", 1.0).finish();

    private Replies() {}

    public static RawDocument ok() {
        return OK;
    }

    /** A command error with MongoDB's name for the code. */
    public static RawDocument error(int code, String message, List<String> labels) {
        BsonWriter reply = new BsonWriter()
                .put("ok", 0.0)
                .put("errmsg", message)
                .put("code", code)
                .put("codeName", ErrorCodes.numbered(code).codeName());
        if (!labels.isEmpty()) {
            reply.startArray("errorLabels");
            labels.forEach(reply::add);
            reply.end();
        }
        return reply.finish();
    }

    /** The frame of a reply with this document, in the format and with the compression of the request. */
    public static byte[] frame(Request request, int id, int flags, RawDocument reply) throws IOException {
        return frame(request, id, flags, request.frame().message().requestId(), reply);
    }

    /** The same as one of a stream of replies, each of which names the one before it. */
    public static byte[] frame(Request request, int id, int flags, int responseTo, RawDocument reply)
            throws IOException {
        Message message = request.frame().message() instanceof Message.OpQuery
                ? new Message.OpReply(id, responseTo, 0, reply)
                : new Message.OpMsg(id, responseTo, flags, reply, List.of());
        byte[] plain = MessageWriter.encode(message);
        Compressor compressor = request.frame().compressor();
        return compressor == Compressor.NONE ? plain : MessageWriter.compressed(plain, compressor);
    }
}
