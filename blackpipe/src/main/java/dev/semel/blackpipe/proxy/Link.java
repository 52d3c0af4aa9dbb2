package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.message.FramePrefix;
import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.ErrorCodes;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** One connection through the proxy: one thread for each direction. */
final class Link {
    private static final int HEADER_BYTES = 16;

    private final Proxy proxy;
    private final Endpoint endpoint;
    private final Socket accepted;
    private final int number;
    private final Map<Integer, InFlight> inFlight = new ConcurrentHashMap<>();
    private final AtomicInteger ownReplies = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean isEnding = new AtomicBoolean();

    /** The client's connection; decrypted, if the accepted connection uses TLS. */
    private final InputStream fromClient;

    private final ClientSide client;

    /** Whether nothing is forwarded any more, although the connection stays open. */
    private volatile boolean muted;

    private volatile @Nullable Socket server;
    private volatile String application = "";

    Link(Proxy proxy, Endpoint endpoint, Socket accepted, Socket decrypted, int number) throws IOException {
        this.proxy = proxy;
        this.endpoint = endpoint;
        this.accepted = accepted;
        this.number = number;
        this.fromClient = decrypted.getInputStream();
        this.client = new ClientSide(decrypted.getOutputStream(), ended);
    }

    void start(Runnable atEnd) {
        run(
                () -> {
                    Socket opened = proxy.connect(endpoint.target());
                    server = opened;
                    if (isEnding.get()) {
                        opened.close();
                    }
                    Thread.ofVirtual().name("link-" + number + "-replies").start(() -> pump(() -> replies(opened)));
                    requests(opened);
                },
                atEnd);
    }

    private void run(Work work, Runnable atEnd) {
        Thread.ofVirtual().name("link-" + number).start(() -> {
            try {
                work.run();
            } catch (IOException | InterruptedException e) {
                // Either end has gone, or a fault ended it: the link is over.
            } finally {
                close();
                atEnd.run();
            }
        });
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private void pump(Work work) {
        try {
            work.run();
        } catch (IOException | InterruptedException e) {
            // As above.
        } finally {
            // The client of a muted link must not see that the server has ended it.
            if (!muted) {
                close();
            }
        }
    }

    /** Reads what the client sends, and never replies. */
    void swallow(Runnable atEnd) {
        mute();
        run(() -> accepted.getInputStream().transferTo(OutputStream.nullOutputStream()), atEnd);
    }

    /** Lets the client begin the TLS handshake, and refuses it. */
    void failHandshake(Runnable atEnd) {
        run(() -> Listening.failHandshake(accepted), atEnd);
    }

    void mute() {
        muted = true;
    }

    // ---- from the client

    private void requests(Socket opened) throws IOException, InterruptedException {
        OutputStream out = opened.getOutputStream();
        FramePump in = new FramePump(fromClient, out, new ReentrantLock(), FramePrefix.BYTES, this::isInteresting);
        for (RawFrame frame = in.next(); frame != null; frame = in.next()) {
            if (muted) {
                in.awaitEnd();
                return;
            }
            InFlight request = decoded(frame);
            if (request == null) {
                out.write(frame.bytes());
            } else if (!forward(request, frame, in, out)) {
                return;
            }
        }
    }

    /** Whether a rule, an observer or the proxy itself may need it decoded. */
    private boolean isInteresting(byte[] bytes, int from, int to) {
        if (muted || FramePrefix.mayBeHello(bytes, from, to) || proxy.isObserved() || endpoint.isSteppedDown()) {
            return true;
        }
        if (proxy.plan().isEmpty()) {
            return false;
        }
        String command = FramePrefix.command(bytes, from, to);
        return command == null || proxy.plan().mayMatch(command);
    }

    /** Null for a message that cannot be decoded here; the server may be able to. */
    private @Nullable InFlight decoded(RawFrame frame) {
        try {
            Request request = new Request(number, application, frame.decoded());
            if (request.isHello()) {
                application = request.introducedAs().orElse(application);
                request = new Request(number, application, request.frame());
            }
            return proxy.arrived(request, proxy.plan().select(request));
        } catch (IOException e) {
            return null;
        }
    }

    /** False if the link is closed. */
    private boolean forward(InFlight request, RawFrame frame, FramePump in, OutputStream out)
            throws IOException, InterruptedException {
        Action before = request.actionAt(Phase.BEFORE);
        switch (before) {
            case Action.Loss loss -> {
                lose(loss, request, false, in);
                return false;
            }
            case Action.Answer answer -> {
                answer(answer, request, false);
                return true;
            }
            case Action.Delay(long ms) -> ended.await(ms, TimeUnit.MILLISECONDS);
            case Action.Meet(var meeting, long ms) -> meeting.await(ms);
            case Action.Delivery now -> {}
        }
        RawDocument refusal = endpoint.isSteppedDown() ? SteppedDown.refusal(request.request()) : null;
        if (refusal != null) {
            answer(request, false, refusal);
            return true;
        }
        int sent = request.bytesBefore(Phase.WITHIN, frame.length());
        if (request.hasFaultAt(Phase.WITHIN)) {
            out.write(frame.bytes(), 0, sent);
            if (!goesOn(request.actionAt(Phase.WITHIN), request, false, in)) {
                return false;
            }
        }
        if (request.request().isAnswered()) {
            inFlight.put(frame.requestId(), request);
        } else {
            proxy.tell(request.over(true, null));
        }
        if (before instanceof Action.Drip drip) {
            ClientSide.drip(out, frame.bytes(), drip, ended);
        } else {
            out.write(frame.bytes(), sent, frame.length() - sent);
        }
        if (request.hasFaultAt(Phase.DUPLICATE)) {
            out.write(frame.bytes());
        }
        return true;
    }

    // ---- from the server

    private void replies(Socket opened) throws IOException, InterruptedException {
        FramePump in = new FramePump(
                opened.getInputStream(), client.out(), client.sending(), HEADER_BYTES, this::isInterestingReply);
        for (RawFrame frame = in.next(); frame != null && !muted; frame = in.next()) {
            InFlight request = inFlight.get(frame.responseTo());
            if (request == null) {
                client.send(frame.bytes());
                keep(frame.bytes(), false);
            } else if (!deliver(request, frame)) {
                return;
            }
        }
    }

    private boolean isInterestingReply(byte[] bytes, int from, int to) {
        return muted
                || (!inFlight.isEmpty() && inFlight.containsKey(FramePrefix.responseTo(bytes, from)))
                || client.isHoldingBack()
                || proxy.plan().needsEarlierReplies();
    }

    /** False if the link is closed. */
    private boolean deliver(InFlight request, RawFrame frame) throws IOException, InterruptedException {
        boolean twice = request.hasFaultAt(Phase.DUPLICATE);
        if (!request.isFirstAnswer() && twice) {
            inFlight.remove(frame.responseTo());
            return true;
        }
        if (!twice) {
            inFlight.remove(frame.responseTo());
        }
        if (frame.moreToCome()) {
            // The next reply of a stream refers to this one, and belongs to the same request.
            inFlight.put(frame.requestId(), proxy.arrived(request.request(), null));
        }
        return switch (request.actionAt(Phase.AFTER_APPLY)) {
            case Action.Loss loss -> {
                lose(loss, request, true, null);
                yield false;
            }
            case Action.Answer answer -> {
                answer(answer, request, true);
                yield true;
            }
            case Action.Delay(long ms) -> {
                ended.await(ms, TimeUnit.MILLISECONDS);
                yield deliver(request, frame, InFlight.NONE);
            }
            case Action.Delivery how -> deliver(request, frame, how);
        };
    }

    private boolean deliver(InFlight request, RawFrame frame, Action.Delivery how)
            throws IOException, InterruptedException {
        RawDocument reply = document(frame);
        byte[] bytes = frame.bytes();
        if (reply != null && request.request().isHello()) {
            reply = HelloRewrite.rewrite(reply, proxy::throughProxy, endpoint.isSteppedDown());
            bytes = Replies.frame(
                    request.request(),
                    frame.requestId(),
                    frame.moreToCome() ? Message.OpMsg.MORE_TO_COME : 0,
                    frame.responseTo(),
                    reply);
        }
        if (request.hasFaultAt(Phase.WITHIN_REPLY)) {
            return deliverCut(request, bytes, reply);
        }
        // Observers are notified before the reply is sent: a client that has the reply finds the observation recorded.
        proxy.tell(request.over(true, how instanceof Action.StaleReply ? null : reply));
        client.deliver(bytes, how);
        keep(bytes, request.request().isHello());
        return true;
    }

    private boolean deliverCut(InFlight request, byte[] reply, @Nullable RawDocument document)
            throws IOException, InterruptedException {
        int sent = request.bytesBefore(Phase.WITHIN_REPLY, reply.length);
        client.sending().lock();
        try {
            client.sendPart(reply, 0, sent);
            if (!goesOn(request.actionAt(Phase.WITHIN_REPLY), request, true, null)) {
                return false;
            }
            proxy.tell(request.over(true, document));
            client.sendPart(reply, sent, reply.length);
            return true;
        } finally {
            client.sending().unlock();
        }
    }

    /** The reply to the handshake is always kept, because it is small: so every connection has an earlier reply. */
    private void keep(byte[] reply, boolean isHello) {
        if (isHello || proxy.plan().needsEarlierReplies()) {
            client.keep(reply);
        }
    }

    private static @Nullable RawDocument document(RawFrame frame) {
        try {
            return switch (frame.decoded().message()) {
                case Message.OpMsg msg -> msg.body();
                case Message.OpReply reply -> reply.document();
                case Message.OpQuery query -> null;
            };
        } catch (IOException e) {
            return null;
        }
    }

    // ---- faults

    /** What happens between two parts of a message; false if the link is closed. */
    private boolean goesOn(Action cut, InFlight request, boolean reachedServer, @Nullable FramePump in)
            throws IOException, InterruptedException {
        return switch (cut) {
            case Action.Loss loss -> {
                lose(loss, request, reachedServer, in);
                yield false;
            }
            case Action.Delay(long ms) -> {
                ended.await(ms, TimeUnit.MILLISECONDS);
                yield true;
            }
            case Action.Delivery other -> throw new IllegalStateException("no rule cuts a message with " + other);
            case Action.Answer answer -> throw new IllegalStateException("no rule cuts a message with " + answer);
        };
    }

    /** Keeps reading from the client, if it can, to notice that the client disconnects. */
    private void lose(Action.Loss loss, InFlight request, boolean reachedServer, @Nullable FramePump in)
            throws IOException, InterruptedException {
        proxy.tell(request.over(reachedServer, null));
        switch (loss) {
            case Action.Close close -> close();
            case Action.Reset reset -> reset();
            case Action.Stall(long ms) -> stall(ms, in);
            case Action.Outage(long ms) -> proxy.outage(ms);
            case Action.BlackHole(long ms) -> {
                proxy.blackHole(ms);
                stall(Action.FOREVER, in);
            }
            case Action.BadHandshake(long ms) -> proxy.badHandshake(ms);
            case Action.BadCertificate(long ms) -> proxy.badCertificate(ms);
        }
    }

    private void stall(long ms, @Nullable FramePump in) throws IOException, InterruptedException {
        if (in == null) {
            ended.await(ms, TimeUnit.MILLISECONDS);
        } else {
            accepted.setSoTimeout((int) Math.min(Integer.MAX_VALUE, ms));
            // Ends when the client does, or with a timeout.
            in.awaitEnd();
        }
        close();
    }

    private void answer(Action.Answer answer, InFlight request, boolean reachedServer) throws IOException {
        switch (answer) {
            case Action.ErrorReply(int code, String message, var labels) -> {
                if (ErrorCodes.isShutdown(code)) {
                    proxy.endWaitForNews(endpoint);
                }
                answer(request, reachedServer, Replies.error(code, message, labels));
            }
            case Action.StepDown(long ms) -> {
                proxy.stepDown(endpoint, ms);
                answer(request, reachedServer, SteppedDown.error(request.request()));
            }
        }
    }

    private void answer(InFlight request, boolean reachedServer, RawDocument reply) throws IOException {
        proxy.tell(request.over(reachedServer, reply));
        if (request.request().isAnswered()) {
            client.send(Replies.frame(request.request(), ownReplies.decrementAndGet(), 0, reply));
        }
    }

    // ---- the end

    boolean waitsForNewsOf(Endpoint which) {
        return endpoint == which
                && inFlight.values().stream().anyMatch(each -> each.request().isHello());
    }

    void reset() {
        try {
            accepted.setSoLinger(true, 0);
        } catch (IOException e) {
            // It is closed already.
        }
        close();
    }

    void close() {
        if (!isEnding.compareAndSet(false, true)) {
            return;
        }
        // Closes the TCP socket, not the TLS socket on top of it: a TLS close_notify could block behind a pending
        // write.
        quietly(accepted);
        Socket opened = server;
        if (opened != null) {
            quietly(opened);
        }
        inFlight.values().forEach(each -> {
            if (proxy.isObserved() && !each.request().isHello()) {
                proxy.tell(each.lost());
            }
        });
        ended.countDown();
    }

    private static void quietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // Closing is all that is wanted.
        }
    }
}
