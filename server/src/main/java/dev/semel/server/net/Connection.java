package dev.semel.server.net;

import dev.semel.server.command.Call;
import dev.semel.server.command.Client;
import dev.semel.server.command.Dispatcher;
import dev.semel.server.status.Counters;
import dev.semel.server.status.Log;
import dev.semel.server.tls.Tls;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.MalformedMessage;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.RefusedMessage;
import dev.semel.wire.thread.MustWait;
import dev.semel.wire.thread.SharedThread;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One client's connection: reads a request, runs it, writes the answer, until either side has had enough. It has a virtual thread
 * of its own, which waits wherever it has to. While all that comes is short, an {@link EventLoop} serves it instead, together
 * with others; what turns out to have to wait there is begun again on a thread of its own.
 */
final class Connection implements Runnable {
    /** Longer requests are not for a loop. */
    static final int SHARED_REQUEST_BYTES_MAX = 16 << 10;

    private static final byte[] NOTHING = {};

    /** For each wait during the handshake of TLS. */
    private static final int TLS_HANDSHAKE_MAX_MS = 10_000;

    private final Socket socket;
    private final @Nullable Tls tls;
    private final Client client;
    private final Dispatcher dispatcher;
    private final Counters counters;
    private final Log log;
    private final LongSupplier nanoTime;
    private final RequestMemory memory;
    private final Host host;
    private final LoopHabit habit = new LoopHabit();

    /** Null until the client has said the first bytes. */
    private volatile @Nullable Line line;

    /** A request that has been read and is still to be begun. */
    private volatile @Nullable Frame pending;

    /** For that, after which it may be begun on the loop once more. */
    private MustWait.@Nullable Preparation preparation;

    /** That serves it; null if it has a thread of its own. */
    private volatile @Nullable EventLoop loop;

    private volatile @Nullable SelectionKey key;

    /**
     * The key whose loop may serve it now; null while a thread is at work on it, which may be one that has been relieved. A loop
     * may still hold keys of earlier stays, and these must not count, not for a moment: who met that would not look again.
     */
    private final AtomicReference<@Nullable SelectionKey> idle = new AtomicReference<>();

    /** The beginning of a request that comes to a loop in pieces: many drivers write one of a kilobyte so. */
    private byte[] arrived = NOTHING;

    private boolean isShared;
    private final AtomicBoolean hasEnded = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean isClosing;

    /** Where connections come from and go to. */
    interface Host {
        /** That is to serve one more connection; null if none can. */
        @Nullable
        EventLoop loop();

        /** Runs the connection on a new thread of its own. */
        void run(Connection connection);

        /** A defect has ended the connection. */
        void failed(Throwable defect);

        void ended(Connection connection);
    }

    /** What there is when the first bytes have come. */
    private record Line(Socket way, ClientInput in, CountedOutput out, Conversation conversation) {}

    /** What a turn on a loop has come to. */
    enum Turn {
        STAYS,
        /** It has a commit to be applied, better together with those of others. */
        COMMITS,
        /** Its answer has to wait until what it has seen is durable. */
        WAITS,
        /** Its command waits for what others can prepare. */
        PREPARES,
        /** It needs a thread of its own. */
        LEAVES,
        ENDS,
        /** Another thread is still at work on it. */
        NONE
    }

    Connection(
            Socket socket,
            @Nullable Tls tls,
            Client client,
            Dispatcher dispatcher,
            Counters counters,
            Log log,
            MemoryPart requests,
            Semaphore beyondRequests,
            LongSupplier nanoTime,
            Host host) {
        this.socket = socket;
        this.tls = tls;
        this.client = client;
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.log = log;
        this.nanoTime = nanoTime;
        this.memory = new RequestMemory(requests, beyondRequests, () -> isClosing, nanoTime);
        this.host = host;
    }

    Client client() {
        return client;
    }

    // ---- on a thread of its own

    @Override
    public void run() {
        boolean isMoved = false;
        try {
            Line known = line;
            boolean goesOn = known == null || hasFinished(known.conversation());
            isMoved = goesOn && !isClosing && serve(known == null ? begin() : known);
        } catch (IOException e) {
            tell(e);
        } finally {
            if (!isMoved) {
                end();
            }
        }
    }

    private Line begin() throws IOException {
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        Tls.Opened opened = open();
        client.certificateSubject(opened.subject());
        Socket way = opened.socket();
        ClientInput in = new ClientInput(way, opened.in(), counters.bytesIn);
        CountedOutput out = new CountedOutput(way.getOutputStream(), counters.bytesOut, nanoTime);
        Conversation conversation =
                new Conversation(client, dispatcher, counters, new MessageReader(in, memory), out, () -> isClosing);
        Line begun = new Line(way, in, out, conversation);
        line = begun;
        return begun;
    }

    /** A client that does not complete the TLS handshake must not hold a connection for ever. */
    private Tls.Opened open() throws IOException {
        if (tls == null) {
            return Tls.unencrypted(socket);
        }
        socket.setSoTimeout(TLS_HANDSHAKE_MAX_MS);
        Tls.Opened opened = tls.open(socket);
        socket.setSoTimeout(0);
        return opened;
    }

    /** What a loop has run and has left to be answered; false if the connection ends by it. */
    private static boolean hasFinished(Conversation conversation) throws IOException {
        return !conversation.hasBegun() || conversation.finish();
    }

    /** True if a loop serves it from now on, false at the end. */
    private boolean serve(Line on) throws IOException {
        on.conversation().writeRest();
        Frame left = pending;
        pending = null;
        boolean goesOn = left == null || isAnswered(left, on.conversation());
        while (goesOn && !isClosing) {
            EventLoop next = habit.suggestsLoop() && on.way() == socket ? host.loop() : null;
            if (next != null) {
                moveTo(next);
                return true;
            }
            goesOn = isAnswered(on.conversation());
        }
        return false;
    }

    private boolean isAnswered(Conversation conversation) throws IOException {
        Frame frame;
        try {
            frame = conversation.next();
        } catch (RefusedMessage e) {
            return conversation.refuse(e);
        }
        return frame != null && isAnswered(frame, conversation);
    }

    private boolean isAnswered(Frame frame, Conversation conversation) throws IOException {
        habit.ran(conversation.isRestartable(frame) && !conversation.hasNext());
        return conversation.answer(frame);
    }

    private void moveTo(EventLoop next) {
        loop = next;
        next.execute(() -> join(next));
    }

    // ---- on a loop

    private void join(EventLoop by) {
        Line on = Objects.requireNonNull(line);
        try {
            if (isClosing) {
                host.run(this);
            } else if (on.in().share()) {
                SocketChannel channel = socket.getChannel();
                channel.configureBlocking(false);
                on.out().share(channel);
                SelectionKey joined = by.register(channel, this);
                key = joined;
                countShared(true);
                idle.set(joined);
            } else {
                // More has come already.
                loop = null;
                habit.left();
                host.run(this);
            }
        } catch (IOException e) {
            tell(e);
            endByItself();
        }
    }

    /** Something has come, says the loop that the key is of. */
    Turn serve(SelectionKey ready, ByteBuffer buffer) {
        if (!idle.compareAndSet(ready, null)) {
            // What has come stays, and the loop would be told of it again and again.
            interest(ready, 0);
            return Turn.NONE;
        }
        if (!ready.isValid()) {
            // It is about to be ended.
            idle.set(ready);
            return Turn.NONE;
        }
        return guarded(() -> turn(Objects.requireNonNull(line), buffer));
    }

    /** After {@link Turn#COMMITS}. */
    Turn goOn() {
        return guarded(() -> {
            Line on = Objects.requireNonNull(line);
            on.conversation().awaitCommit();
            return committed(on);
        });
    }

    /** After {@link Turn#WAITS}. */
    Turn finish() {
        return guarded(() -> finish(Objects.requireNonNull(line)));
    }

    /** After {@link Turn#PREPARES}, when that is done. */
    Turn again() {
        return guarded(() -> {
            Line on = Objects.requireNonNull(line);
            Frame frame = Objects.requireNonNull(pending);
            return on.conversation().isRestartable(frame) ? attempt(on, frame) : Turn.LEAVES;
        });
    }

    private interface Work {
        Turn run() throws IOException;
    }

    private Turn guarded(Work work) {
        try {
            return work.run();
        } catch (IOException e) {
            tell(e);
            return Turn.ENDS;
        } catch (RuntimeException | Error e) {
            host.failed(e);
            return Turn.ENDS;
        }
    }

    private static void interest(SelectionKey of, int operations) {
        try {
            if (of.interestOps() != operations) {
                of.interestOps(operations);
            }
        } catch (CancelledKeyException e) {
            // Another thread has taken it from the loop, or ended it.
        }
    }

    private Turn turn(Line on, ByteBuffer buffer) throws IOException {
        buffer.clear();
        int length = socket.getChannel().read(buffer);
        if (length <= 0) {
            return length == 0 ? Turn.STAYS : Turn.ENDS;
        }
        byte[] bytes = Arrays.copyOf(arrived, arrived.length + length);
        buffer.get(0, bytes, arrived.length, length);
        if (MessageReader.isPartOfMessage(bytes, SHARED_REQUEST_BYTES_MAX)) {
            arrived = bytes;
            return Turn.STAYS;
        }
        arrived = NOTHING;
        on.in().push(bytes);
        if (!MessageReader.isWholeMessage(bytes)) {
            return Turn.LEAVES;
        }
        Conversation conversation = on.conversation();
        Frame frame;
        try {
            frame = Objects.requireNonNull(conversation.next());
        } catch (RefusedMessage e) {
            return conversation.refuse(e) ? stays(on) : Turn.ENDS;
        }
        if (!conversation.isRestartable(frame)) {
            pending = frame;
            return Turn.LEAVES;
        }
        return attempt(on, frame);
    }

    private Turn attempt(Line on, Frame frame) throws IOException {
        Turn taken = begin(on, frame);
        boolean isGivenUp = taken == Turn.LEAVES && pending != null;
        // It may have been one of these that it would have had to wait for.
        return isGivenUp && dispatcher.applyCommits() ? begin(on, frame) : taken;
    }

    private Turn begin(Line on, Frame frame) throws IOException {
        Conversation conversation = on.conversation();
        SharedThread.begin();
        try {
            if (!conversation.begin(frame)) {
                return Turn.ENDS;
            }
            if (pending != null) {
                // Seldom: a volatile write costs more than the look.
                pending = null;
            }
            habit.ranShared();
            return conversation.isCommitting() ? Turn.COMMITS : committed(on);
        } catch (MustWait e) {
            pending = frame;
            MustWait.Preparation offered = e.preparation();
            boolean isAfforded = offered != null && habit.affordsPreparation();
            preparation = isAfforded ? offered : null;
            return isAfforded ? Turn.PREPARES : Turn.LEAVES;
        } finally {
            SharedThread.goThrough();
        }
    }

    private Turn committed(Line on) throws IOException {
        return dispatcher.isDurable(on.conversation().durableTime()) ? finish(on) : Turn.WAITS;
    }

    private Turn finish(Line on) throws IOException {
        return on.conversation().finish() ? stays(on) : Turn.ENDS;
    }

    /** After {@link Turn#WAITS}: the cluster time that has to be durable before {@link #finish}. */
    long durableTime() {
        return Objects.requireNonNull(line).conversation().durableTime();
    }

    /** After {@link Turn#PREPARES}: {@code done} is called once, from any thread, before {@link #again}. */
    void prepare(Runnable done) {
        MustWait.Preparation next = Objects.requireNonNull(preparation);
        preparation = null;
        next.start(done);
    }

    private Turn stays(Line on) {
        if (isClosing) {
            return Turn.ENDS;
        }
        return on.out().hasRest() ? Turn.LEAVES : Turn.STAYS;
    }

    /** After {@link #serve}, by the same thread; another one may serve the others of the loop by now. */
    void served(Turn turn, boolean isRelieved) {
        switch (turn) {
            case STAYS -> {
                if (isRelieved) {
                    leave();
                } else {
                    stay();
                }
            }
            case COMMITS, WAITS, PREPARES -> {
                if (isRelieved) {
                    leave();
                }
            }
            case LEAVES -> leave();
            case ENDS -> endByItself();
            case NONE -> {}
        }
    }

    private void stay() {
        SelectionKey mine = Objects.requireNonNull(key);
        // What has come while its answer had to wait was not looked at.
        interest(mine, SelectionKey.OP_READ);
        idle.set(mine);
    }

    /** For a thread of its own, which finishes what has begun. */
    void leave() {
        Line on = Objects.requireNonNull(line);
        try {
            habit.left();
            preparation = null;
            countShared(false);
            Objects.requireNonNull(key).cancel();
            if (arrived.length > 0) {
                // The loop's thread has been relieved, and has not come to the rest.
                on.in().push(arrived);
                arrived = NOTHING;
            }
            on.out().unshare();
            socket.getChannel().configureBlocking(true);
            // Only now may another thread look whether the client is still there.
            on.in().unshare();
            loop = null;
            host.run(this);
        } catch (IOException e) {
            tell(e);
            endByItself();
        }
    }

    /** On a thread of its own, because to undo what the client has left takes long. */
    void endByItself() {
        isClosing = true;
        loop = null;
        countShared(false);
        SelectionKey last = key;
        if (last != null) {
            last.cancel();
        }
        host.run(this);
    }

    /** By the loop that the key is of, which serves it, unless a thread is at work on it or it has gone elsewhere. */
    void give(SelectionKey mine, EventLoop other) {
        if (mine.isValid() && idle.compareAndSet(mine, null)) {
            mine.cancel();
            countShared(false);
            moveTo(other);
        }
    }

    private void countShared(boolean now) {
        if (now != isShared) {
            isShared = now;
            counters.connectionsShared.add(now ? 1 : -1);
        }
    }

    // ---- the end

    /** By its own thread. */
    private void end() {
        isClosing = true;
        if (!hasEnded.compareAndSet(false, true)) {
            return;
        }
        countShared(false);
        Line on = line;
        try (socket) {
            if (on != null) {
                on.conversation().end();
                sayEnd(on.way());
            }
            sayEnd(socket);
            if (on != null) {
                on.way().close();
            }
        } catch (IOException e) {
            tell(e);
        } finally {
            host.ended(this);
            ended.countDown();
        }
    }

    /**
     * What the client has sent and nobody has read resets the connection when it is closed, and the client may lose the last reply by
     * that, unless it is told the end before.
     */
    private static void sayEnd(Socket way) {
        try {
            way.shutdownOutput();
        } catch (IOException e) {
            // It is closed already, or the client has closed it.
        }
    }

    /** Until it has ended, whatever thread serves it, for at most this long. */
    void awaitEnd(long milliseconds) throws InterruptedException {
        ended.await(milliseconds, TimeUnit.MILLISECONDS);
    }

    /** How it ended, for the log. */
    private void tell(IOException failure) {
        switch (failure) {
            case MalformedMessage e -> logRefusal("Closing a connection that does not speak the protocol", e);
            case SSLException e
            when e.getCause() instanceof ClosedChannelException ->
                // The JDK says so of a client that ends its connection without telling TLS, as many drivers do.
                logEnd("Connection broken", e);
            case SSLException e -> logRefusal("Closing a connection because TLS failed", e);
            case Tls.Mismatch e ->
                log.info(
                        Log.Component.NETWORK,
                        client.description(),
                        String.valueOf(e.getMessage()),
                        new BsonWriter().put("remote", client.remote()).finish());
            default ->
                // The client has gone, or we are closing: the ordinary ends of a connection.
                logEnd("Connection broken", failure);
        }
    }

    private void logRefusal(String message, IOException cause) {
        log.info(
                Log.Component.NETWORK,
                client.description(),
                message,
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("error", reason(cause))
                        .finish());
    }

    private void logEnd(String message, IOException cause) {
        log.debug(
                Log.Component.NETWORK,
                client.description(),
                message,
                new BsonWriter()
                        .put("error", String.valueOf(cause.getMessage()))
                        .finish());
    }

    /** Of a client that ends the handshake the JDK says no more than that there was an exception. */
    private static String reason(IOException failure) {
        return failure.getCause() instanceof SocketException ended
                ? "the client closed the connection, perhaps because it does not trust the certificate: "
                        + ended.getMessage()
                : String.valueOf(failure.getMessage());
    }

    /** From time to time, by one thread: whether a command that ran the last time still runs. Its client may be gone. */
    boolean isLongWaitedFor() {
        Line on = line;
        return on != null && on.conversation().isLongWaitedFor();
    }

    /** Stops the command if its client has gone. From any thread. */
    void look() {
        Line on = line;
        if (on != null && on.in().hasEnded()) {
            Call call = client.current();
            if (call != null && !call.outlivesClient()) {
                call.kill(new CommandException(
                        ErrorCode.ClientDisconnect, "operation was interrupted because a client disconnected"));
            }
        }
    }

    /** From time to time, while memory is short: a client that holds it and does not get on is cut. */
    void endIfStalled(long arrivalNanosMax, long stallNanosMax) {
        Line on = line;
        if (on != null && on.out().stalledNanos() > stallNanosMax) {
            cut("the client does not read its reply, and memory for replies is short");
        } else if (!isBusy() && memory.heldNanos() > arrivalNanosMax) {
            cut("the request takes too long, and memory for requests is short");
        }
    }

    private boolean isBusy() {
        Line on = line;
        return on != null && (pending != null || on.conversation().isBusy());
    }

    private void cut(String why) {
        log.info(
                Log.Component.NETWORK,
                client.description(),
                "Closing a connection",
                new BsonWriter()
                        .put("remote", client.remote())
                        .put("reason", why)
                        .finish());
        close();
    }

    /** No further request; an answer under way still leaves. */
    void closeWhenIdle() {
        isClosing = true;
        if (!isBusy()) {
            close();
        }
    }

    /** From any thread. */
    void close() {
        isClosing = true;
        try {
            socket.close();
        } catch (IOException e) {
            logEnd("Closing a socket failed", e);
        }
        EventLoop at = loop;
        if (at != null) {
            // A loop learns nothing of that by itself.
            at.execute(() -> endAt(at));
        }
    }

    private void endAt(EventLoop at) {
        SelectionKey mine = key;
        if (loop == at && mine != null && idle.compareAndSet(mine, null)) {
            endByItself();
        }
    }
}
