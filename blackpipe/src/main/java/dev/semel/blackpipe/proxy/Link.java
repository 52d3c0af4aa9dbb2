package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Glance;
import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.message.Replies;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Message;
import java.io.IOException;
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

/** One connection through the proxy: a thread for what the client says, another for what the server says. */
final class Link {
    private static final int HEADER_BYTES = 16;

    private final Proxy proxy;
    private final Door door;
    private final Socket accepted;
    private final int number;
    private final Map<Integer, InFlight> inFlight = new ConcurrentHashMap<>();
    private final ReentrantLock toClient = new ReentrantLock();
    private final AtomicInteger ownReplies = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean isEnding = new AtomicBoolean();
    /** The accepted connection, or what is said through it when it is encrypted. */
    private volatile Socket client;

    private volatile @Nullable Socket server;
    private volatile String application = "";

    Link(Proxy proxy, Door door, Socket accepted, int number) {
        this.proxy = proxy;
        this.door = door;
        this.accepted = accepted;
        this.client = accepted;
        this.number = number;
    }

    void start(Runnable atEnd) {
        Thread.ofVirtual().name("link-" + number).start(() -> {
            try {
                accepted.setTcpNoDelay(true);
                client = proxy.opened(accepted);
                Socket opened = proxy.connect(door.target());
                server = opened;
                if (isEnding.get()) {
                    opened.close();
                }
                Thread.ofVirtual().name("link-" + number + "-replies").start(() -> pump(() -> replies(opened)));
                requests(opened);
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
            close();
        }
    }

    // ---- from the client

    private void requests(Socket opened) throws IOException, InterruptedException {
        OutputStream out = opened.getOutputStream();
        FramePump in =
                new FramePump(client.getInputStream(), out, new ReentrantLock(), Glance.BYTES, this::isInteresting);
        for (RawFrame frame = in.next(); frame != null; frame = in.next()) {
            InFlight request = decoded(frame);
            if (request == null) {
                out.write(frame.bytes());
            } else if (!forward(request, frame, in, out)) {
                return;
            }
        }
    }

    /** Whether a rule, an observer or the proxy itself may have to look at it. */
    private boolean isInteresting(byte[] bytes, int from, int to) {
        if (Glance.mayBeHello(bytes, from, to) || proxy.isObserved() || door.isDeposed()) {
            return true;
        }
        if (proxy.plan().isEmpty()) {
            return false;
        }
        String command = Glance.command(bytes, from, to);
        return command == null || proxy.plan().mayStrike(command);
    }

    /** Null for what we cannot read; the server may. */
    private @Nullable InFlight decoded(RawFrame frame) {
        try {
            Request request = new Request(number, application, frame.decoded());
            if (request.isHello()) {
                application = request.introducedAs().orElse(application);
                request = new Request(number, application, request.frame());
            }
            return new InFlight(proxy.nextNumber(), request, proxy.plan().strike(request));
        } catch (IOException e) {
            return null;
        }
    }

    /** False where the link is over. */
    private boolean forward(InFlight request, RawFrame frame, FramePump in, OutputStream out)
            throws IOException, InterruptedException {
        Rule before = request.ruleAt(Phase.BEFORE);
        if (before != null && !(before.action() instanceof Action.Delay)) {
            return strike(before.action(), request, false, in);
        }
        if (before != null && before.action() instanceof Action.Delay(long ms)) {
            ended.await(ms, TimeUnit.MILLISECONDS);
        }
        RawDocument refusal = door.isDeposed() ? Deposed.refusal(request.request()) : null;
        if (refusal != null) {
            answer(request, refusal);
            return true;
        }
        Rule within = request.ruleAt(Phase.WITHIN);
        if (within != null) {
            int bytes = Math.min(within.atByte(), frame.length());
            out.write(frame.bytes(), 0, bytes);
            if (!(within.action() instanceof Action.Delay(long ms))) {
                return strike(within.action(), request, false, in);
            }
            ended.await(ms, TimeUnit.MILLISECONDS);
            out.write(frame.bytes(), bytes, frame.length() - bytes);
        }
        if (request.request().isAnswered()) {
            inFlight.put(frame.requestId(), request);
        } else {
            proxy.tell(request.over(true, null));
        }
        if (within == null) {
            out.write(frame.bytes());
        }
        if (request.ruleAt(Phase.DUPLICATE) != null) {
            out.write(frame.bytes());
        }
        return true;
    }

    // ---- from the server

    private void replies(Socket opened) throws IOException, InterruptedException {
        FramePump in = new FramePump(
                opened.getInputStream(),
                client.getOutputStream(),
                toClient,
                HEADER_BYTES,
                (bytes, from, to) -> !inFlight.isEmpty() && inFlight.containsKey(Glance.responseTo(bytes, from)));
        for (RawFrame frame = in.next(); frame != null; frame = in.next()) {
            InFlight request = inFlight.get(frame.responseTo());
            if (request == null) {
                send(frame.bytes());
            } else if (!deliver(request, frame)) {
                return;
            }
        }
    }

    private boolean deliver(InFlight request, RawFrame frame) throws IOException, InterruptedException {
        boolean twice = request.ruleAt(Phase.DUPLICATE) != null;
        if (!request.isFirstAnswer() && twice) {
            inFlight.remove(frame.responseTo());
            return true;
        }
        if (!twice) {
            inFlight.remove(frame.responseTo());
        }
        if (frame.moreToCome()) {
            // The next of a stream answers this one, and is news for the same request.
            inFlight.put(frame.requestId(), new InFlight(proxy.nextNumber(), request.request(), null));
        }
        Rule after = request.ruleAt(Phase.AFTER_APPLY);
        if (after != null && after.action() instanceof Action.Delay(long ms)) {
            ended.await(ms, TimeUnit.MILLISECONDS);
        } else if (after != null) {
            return strike(after.action(), request, true, null);
        }
        RawDocument reply = document(frame);
        byte[] bytes = frame.bytes();
        if (reply != null && request.request().isHello()) {
            RawDocument rewritten = HelloRewrite.rewrite(reply, proxy::throughProxy, door.isDeposed());
            bytes = Replies.frame(
                    request.request(),
                    frame.requestId(),
                    frame.moreToCome() ? Message.OpMsg.MORE_TO_COME : 0,
                    frame.responseTo(),
                    rewritten);
            reply = rewritten;
        }
        // First told, then sent: whoever has the answer finds the observation made.
        proxy.tell(request.over(true, reply));
        send(bytes);
        return true;
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

    /** False where the link is over. Read from the client's stream to notice that it gives up. */
    private boolean strike(Action action, InFlight request, boolean reachedServer, @Nullable FramePump in)
            throws IOException, InterruptedException {
        switch (action) {
            case Action.ErrorReply(int code, String message, var labels) -> {
                answer(request, reachedServer, Replies.error(code, message, labels));
                return true;
            }
            case Action.StepDown(long ms) -> {
                proxy.stepDown(door, ms);
                answer(request, reachedServer, Deposed.steppedDown(request.request()));
                return true;
            }
            default -> proxy.tell(request.over(reachedServer, null));
        }
        switch (action) {
            case Action.Reset reset -> reset();
            case Action.Outage(long ms) -> proxy.outage(ms);
            case Action.Stall(long ms) -> stall(ms, in);
            default -> close();
        }
        return false;
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

    private void answer(InFlight request, RawDocument reply) throws IOException {
        answer(request, false, reply);
    }

    private void answer(InFlight request, boolean reachedServer, RawDocument reply) throws IOException {
        proxy.tell(request.over(reachedServer, reply));
        if (request.request().isAnswered()) {
            send(Replies.frame(request.request(), ownReplies.decrementAndGet(), 0, reply));
        }
    }

    private void send(byte[] bytes) throws IOException {
        toClient.lock();
        try {
            client.getOutputStream().write(bytes);
        } finally {
            toClient.unlock();
        }
    }

    // ---- the end

    boolean waitsForNewsOf(Door which) {
        return door == which
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
        // Not what is on top of it: a farewell of TLS could wait for whoever is writing.
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
