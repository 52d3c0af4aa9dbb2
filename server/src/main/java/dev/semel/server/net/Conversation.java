package dev.semel.server.net;

import dev.semel.server.command.Answer;
import dev.semel.server.command.Arguments.Sequences;
import dev.semel.server.command.Client;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.command.Request;
import dev.semel.server.status.Counters;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.Message.OpQuery;
import dev.semel.wire.message.Message.OpReply;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import dev.semel.wire.message.RefusedMessage;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What one client sends and what it gets for that, one request after the other. By one thread at a time. */
final class Conversation {
    /** Java's drivers up to 3.12, and others of that age, ask for the version and log in before they use OP_MSG. */
    private static final Set<String> BEFORE_OP_MSG = Set.of(
            "hello",
            "isMaster",
            "ismaster",
            "_isSelf",
            "buildInfo",
            "buildinfo",
            "authenticate",
            "saslStart",
            "saslContinue");

    private final Client client;
    private final Dispatcher dispatcher;
    private final Counters counters;
    private final MessageReader reader;
    private final CountedOutput out;
    private final MessageWriter writer;
    private final BooleanSupplier isClosing;
    private volatile boolean isBusy;

    /** The request at work, if it is one whose client waits for the answer; 0 if not. */
    private volatile int waitedFor;

    /** What {@link #isLongWaitedFor} found the last time. */
    private int seenWaitedFor;

    /** Our messages' numbers; only their being different matters. */
    private int lastRequestId;

    private int lastWaitedFor;

    /** Of which a part is still to be written. */
    private @Nullable Answer unsent;

    /** Has been run, and is still to be answered. */
    private @Nullable Begun begun;

    private record Begun(OpMsg message, Compressor asked, Dispatcher.Execution execution) {}

    Conversation(
            Client client,
            Dispatcher dispatcher,
            Counters counters,
            MessageReader reader,
            CountedOutput out,
            BooleanSupplier isClosing) {
        this.client = client;
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.reader = reader;
        this.out = out;
        this.writer = new MessageWriter(out);
        this.isClosing = isClosing;
    }

    /** The next request; null where the client ends. One that cannot be understood is answered at once, and throws. */
    @Nullable
    Frame next() throws IOException {
        return reader.read();
    }

    /** Whether something of it is here already. */
    boolean hasNext() {
        return reader.hasBuffered();
    }

    /** Says what is wrong with a request; false if the connection ends by it. */
    boolean refuse(RefusedMessage refused) throws IOException {
        counters.requests.increment();
        if (refused.answered()) {
            int id = ++lastRequestId;
            writer.write(
                    refused.isLegacy()
                            ? OpReply.failure(id, refused.requestId(), refused.reason())
                            : OpMsg.of(id, refused.requestId(), Dispatcher.error(refused.reason())),
                    Compressor.NONE);
        }
        return !refused.closes();
    }

    /** Whether {@link #begin} may be used, which may be given up by {@link dev.semel.wire.thread.MustWait}. */
    boolean isRestartable(Frame frame) {
        return frame.message() instanceof OpMsg message
                && !message.exhaustAllowed()
                && !message.moreToCome()
                && dispatcher.isRestartable(message.body());
    }

    /** Runs a request, and writes the answer; false if the connection ends by it. */
    boolean answer(Frame frame) throws IOException {
        isBusy = true;
        try {
            if (isClosing.getAsBoolean()) {
                // Who closes may have found us idle, and cut the connection: what runs now would have no answer.
                return false;
            }
            return switch (frame.message()) {
                case OpMsg message -> answer(message, frame.compressor());
                case OpQuery query -> answer(query, frame.compressor());
                case OpReply reply -> throw new IOException("a client sent a reply");
            };
        } finally {
            isBusy = false;
        }
    }

    // ---- on a loop: a request that may be begun there, in two parts

    /** Runs a request that {@link #isRestartable}; false if the connection ends instead. */
    boolean begin(Frame frame) {
        OpMsg message = (OpMsg) frame.message();
        isBusy = true;
        boolean hasBegun = false;
        waitedFor = ++lastWaitedFor;
        try {
            if (!isClosing.getAsBoolean()) {
                begun = new Begun(message, frame.compressor(), dispatcher.start(client, request(message)));
                hasBegun = true;
            }
        } finally {
            waitedFor = 0;
            isBusy = hasBegun;
        }
        return hasBegun;
    }

    boolean hasBegun() {
        return begun != null;
    }

    /** Whether it has written what others do not see yet. */
    boolean isCommitting() {
        Begun run = begun;
        return run != null && run.execution.isCommitting();
    }

    /** Waits until that is applied; {@link #finish} does so, too. */
    void awaitCommit() {
        Objects.requireNonNull(begun).execution.awaitCommit();
    }

    /** The cluster time that has to be durable first, or {@link #finish} waits; 0 for none. Not while it {@link #isCommitting}. */
    long durableTime() {
        Begun run = begun;
        return run == null ? 0 : run.execution.durableTime();
    }

    /** Writes the answer to what has begun; false if the connection ends by it. */
    boolean finish() throws IOException {
        Begun run = Objects.requireNonNull(begun);
        try {
            return isWritten(run.execution.finish(), run.message, run.message.requestId(), run.asked);
        } finally {
            begun = null;
            isBusy = false;
        }
    }

    /** Writes what a loop could not write of the last answer without waiting. */
    void writeRest() throws IOException {
        out.writeRest();
        releaseUnsent();
    }

    /** Nothing of it is used any more. */
    void end() {
        reader.release();
        releaseUnsent();
    }

    private void releaseUnsent() {
        Answer left = unsent;
        unsent = null;
        if (left != null) {
            left.release();
        }
    }

    boolean isBusy() {
        return isBusy;
    }

    /** From time to time, by one thread: whether a command that ran the last time still runs. Its client may be gone. */
    boolean isLongWaitedFor() {
        int waited = waitedFor;
        boolean isLong = waited != 0 && waited == seenWaitedFor;
        seenWaitedFor = waited;
        return isLong;
    }

    // ---- OP_MSG

    private boolean answer(OpMsg message, Compressor asked) throws IOException {
        Request request = request(message);
        int responseTo = message.requestId();
        // What is streamed finds out by itself that the client has disconnected.
        waitedFor = message.exhaustAllowed() ? 0 : ++lastWaitedFor;
        while (true) {
            Answer answer = run(request);
            Answer.Next next = answer.next();
            boolean isSent = false;
            try {
                isSent = isWritten(answer, message, responseTo, asked) && !(next != null && isClosing.getAsBoolean());
            } finally {
                if (!isSent) {
                    abandon(next);
                }
            }
            if (!isSent || next == null || message.moreToCome()) {
                return isSent;
            }
            responseTo = lastRequestId;
            request = new Request(next.command(), Sequences.NONE, null, true);
        }
    }

    /** Of a stream that its client does not read to the end. */
    private void abandon(Answer.@Nullable Next next) {
        if (next != null && next.unlessSent() != null) {
            run(new Request(next.unlessSent(), Sequences.NONE, null, false)).release();
        }
    }

    private static Request request(OpMsg message) {
        return new Request(message.body(), sequences(message), null, message.exhaustAllowed());
    }

    /** Whether the connection goes on. */
    private boolean isWritten(Answer answer, OpMsg message, int responseTo, Compressor asked) throws IOException {
        int id = ++lastRequestId;
        try {
            if (answer.closesConnection()) {
                return false;
            }
            // A client that does not wait for an answer would take one for that of its next request.
            if (!message.moreToCome()) {
                int flags =
                        (answer.next() == null ? 0 : OpMsg.MORE_TO_COME) | (message.flags() & OpMsg.CHECKSUM_PRESENT);
                OpMsg reply = new OpMsg(id, responseTo, flags, answer.reply(), List.of());
                writer.write(reply, packing(message.body(), asked));
            }
        } finally {
            release(answer);
        }
        return answer.goesOn();
    }

    private Answer run(Request request) {
        try {
            return dispatcher.run(client, request);
        } finally {
            waitedFor = 0;
        }
    }

    private void release(Answer answer) {
        if (out.hasRest()) {
            unsent = answer;
        } else {
            answer.release();
        }
    }

    private static Sequences sequences(OpMsg message) {
        return message.sequences().isEmpty() ? Sequences.NONE : new MessageSequences(message);
    }

    private static Compressor packing(RawDocument body, Compressor asked) {
        if (asked == Compressor.NONE) {
            return asked;
        }
        var first = body.cursor();
        return first.next() && Compressor.mayCompress(first.name()) ? asked : Compressor.NONE;
    }

    /** The message's sequences as a command's arguments know them. */
    private record MessageSequences(OpMsg message) implements Sequences {
        @Override
        public @Nullable List<RawDocument> named(String name) {
            return message.sequence(name);
        }

        @Override
        public List<String> names() {
            return message.sequences().stream().map(Message.Sequence::name).toList();
        }
    }

    // ---- OP_QUERY, for what drivers send before they know the server's version

    private boolean answer(OpQuery query, Compressor asked) throws IOException {
        if (!query.collection().endsWith(".$cmd")) {
            counters.requests.increment();
            CommandException reason = Message.unsupported("OP_QUERY");
            writer.write(OpReply.failure(++lastRequestId, query.requestId(), reason), Compressor.NONE);
            return true;
        }
        RawDocument command = unwrapped(query.query());
        String name = name(command);
        Answer answer;
        if (BEFORE_OP_MSG.contains(name)) {
            String database = query.collection().substring(0, query.collection().length() - ".$cmd".length());
            Request request = new Request(command, Sequences.NONE, database, false);
            answer = dispatcher.run(client, request);
        } else {
            counters.requests.increment();
            answer = Answer.of(new CommandException(
                    ErrorCode.UnsupportedOpQueryCommand,
                    "Unsupported OP_QUERY command: %s. The client driver may require an upgrade. For more details see"
                            + " https://dochub.mongodb.org/core/legacy-opcode-removal",
                    name));
        }
        if (answer.closesConnection()) {
            return false;
        }
        writer.write(new OpReply(++lastRequestId, query.requestId(), 0, answer.reply()), packing(command, asked));
        return answer.goesOn();
    }

    /** A read preference travels around the command in an old-fashioned query. */
    private static RawDocument unwrapped(RawDocument query) {
        return query.get("$query") instanceof Value.Doc(RawDocument inner) ? inner : query;
    }

    private static String name(RawDocument command) {
        var first = command.cursor();
        return first.next() ? first.name() : "";
    }
}
