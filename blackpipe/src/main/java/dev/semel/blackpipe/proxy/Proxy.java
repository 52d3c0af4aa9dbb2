package dev.semel.blackpipe.proxy;

import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.RawFrame;
import dev.semel.blackpipe.message.Request;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the traffic of a server, or of every member of a replica set, and injects the faults of its {@link Plan}.
 * Clients connect to {@link #uri()}; addresses in replies are rewritten, so that they keep connecting through the proxy.
 */
public final class Proxy implements AutoCloseable {
    private final TargetUri target;
    private final Dialer dialer;
    private final Listening listening;
    private final Plan plan;
    private final Map<String, Endpoint> endpoints = new ConcurrentHashMap<>();
    private final Collection<Link> links = ConcurrentHashMap.newKeySet();
    private final CopyOnWriteArrayList<Observation.Observer> observers = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicLong requests = new AtomicLong();
    private final Time time;
    private final Map<NetworkState, Period> troubles = new EnumMap<>(NetworkState.class);
    private final CountDownLatch closed = new CountDownLatch(1);

    private Proxy(TargetUri target, Dialer dialer, Listening listening, Plan plan, Time time) {
        this.target = target;
        this.dialer = dialer;
        this.listening = listening;
        this.plan = plan;
        this.time = time;
        for (NetworkState each : NetworkState.values()) {
            troubles.put(each, new Period(time));
        }
    }

    /** Starts on a free port. An {@link IOException} says which server cannot be reached. */
    public static Proxy start(String target, Plan plan) throws IOException {
        return start(target, plan, Listening.on(0));
    }

    /** The first server is reached through the given port, others of its set through free ones. */
    public static Proxy start(String target, Plan plan, Listening listening) throws IOException {
        return start(target, plan, listening, Time.ofSystem());
    }

    /** With this clock for recorded times and durations of faults. */
    public static Proxy start(String target, Plan plan, Listening listening, Time time) throws IOException {
        TargetUri uri = TargetUri.parse(target);
        Proxy proxy = new Proxy(uri, Dialer.of(uri), listening, plan, time);
        proxy.check(plan.status().stream().map(Plan.RuleStatus::rule).toList());
        try {
            for (String host : uri.hosts()) {
                String known = proxy.nameOf(host);
                proxy.open(known, proxy.endpoints.isEmpty() ? listening.port() : 0);
            }
            return proxy;
        } catch (IOException e) {
            proxy.close();
            throw e;
        }
    }

    /** The connection string of the target with the proxy in it. */
    public String uri() {
        return clientUri().toString();
    }

    /** The same as an object that can be modified. */
    public TargetUri clientUri() {
        List<String> addresses = target.hosts().stream()
                .map(each -> endpoints
                        .getOrDefault(each, endpoints.values().iterator().next())
                        .address())
                .distinct()
                .toList();
        return target.at(addresses, listening.isEncrypted());
    }

    public Plan plan() {
        return plan;
    }

    /** Notifies the observer of every later request. */
    public void observe(Observation.Observer observer) {
        observers.add(observer);
    }

    /** Closes all connections, and refuses new ones for this long. */
    public void outage(long ms) {
        begin(NetworkState.OUTAGE, ms);
    }

    /** Connections are accepted again. */
    public void endOutage() {
        end(NetworkState.OUTAGE);
    }

    /**
     * For this long all connections, old and new, accept bytes and send nothing. Afterwards new connections work; old
     * ones stay silent until the client closes them.
     */
    public void blackHole(long ms) {
        begin(NetworkState.BLACK_HOLE, ms);
    }

    /** New connections work again. */
    public void endBlackHole() {
        end(NetworkState.BLACK_HOLE);
    }

    /** Closes all connections, and fails the TLS handshake of new ones for this long. */
    public void badHandshake(long ms) {
        begin(NetworkState.BAD_HANDSHAKE, ms);
    }

    /** Handshakes work again. */
    public void endBadHandshake() {
        end(NetworkState.BAD_HANDSHAKE);
    }

    /** Closes all connections, and for this long presents to new ones a certificate that no client should accept. */
    public void badCertificate(long ms) {
        begin(NetworkState.BAD_CERTIFICATE, ms);
    }

    /** The proxy presents its own certificate again. */
    public void endBadCertificate() {
        end(NetworkState.BAD_CERTIFICATE);
    }

    void begin(NetworkState trouble, long ms) {
        requireTls(trouble == NetworkState.BAD_HANDSHAKE || trouble == NetworkState.BAD_CERTIFICATE, trouble.label());
        Period period = period(trouble);
        long end = period.begin(ms);
        announce(trouble.label() + " " + Action.time(ms));
        switch (trouble) {
            case OUTAGE -> {
                endpoints.values().forEach(this::shut);
                List.copyOf(links).forEach(Link::reset);
            }
            case BLACK_HOLE -> links.forEach(Link::mute);
            case BAD_HANDSHAKE, BAD_CERTIFICATE -> List.copyOf(links).forEach(Link::close);
        }
        if (ms != Action.FOREVER) {
            Thread.ofVirtual().name("end-of-" + trouble.label()).start(() -> awaitEnd(trouble, end));
        }
    }

    /** Does nothing if it has been ended, or started again, meanwhile. */
    private void awaitEnd(NetworkState trouble, long end) {
        Period period = period(trouble);
        try {
            while (period.endsAt(end) && period.isOn()) {
                if (closed.await(period.leftNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
            if (period.endsAt(end)) {
                over(trouble);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void end(NetworkState trouble) {
        if (isOn(trouble)) {
            period(trouble).end();
            over(trouble);
        }
    }

    private void over(NetworkState trouble) {
        if (trouble == NetworkState.OUTAGE) {
            endpoints.values().forEach(this::reopen);
        }
        announce(trouble.label() + " is over");
    }

    boolean isOn(NetworkState trouble) {
        return period(trouble).isOn();
    }

    private Period period(NetworkState trouble) {
        return Objects.requireNonNull(troubles.get(trouble));
    }

    private void announce(String what) {
        Instant now = time.now();
        observers.forEach(each -> each.networkChanged(now, what));
    }

    private void shut(Endpoint endpoint) {
        try {
            endpoint.shut();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot refuse connections to " + endpoint.address(), e);
        }
    }

    private void reopen(Endpoint endpoint) {
        try {
            endpoint.open();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot listen again on " + endpoint.address(), e);
        }
    }

    /** Raises {@link IllegalArgumentException} for rules that this proxy does not support. */
    void check(List<Rule> rules) {
        rules.forEach(each -> requireTls(each.action().needsTls(), each.action().toString()));
    }

    private void requireTls(boolean needed, String what) {
        if (needed && !listening.isEncrypted()) {
            throw new IllegalArgumentException(
                    "'" + what + "' needs clients that encrypt: give the proxy a certificate");
        }
    }

    boolean isSteppedDown() {
        return endpoints.values().stream().anyMatch(Endpoint::isSteppedDown);
    }

    /** For this long every server reports that it is not the primary. */
    public void stepDown(long ms) {
        endpoints.values().forEach(each -> stepDown(each, ms));
    }

    void stepDown(Endpoint endpoint, long ms) {
        endpoint.stepDown(ms);
        endWaitForNews(endpoint);
    }

    /**
     * For a fault that changes what the server is: a monitor that waits for news would learn of it only when the server
     * itself has some, and a driver that believes the fault would not use the server until then.
     */
    void endWaitForNews(Endpoint endpoint) {
        links.stream().filter(each -> each.waitsForNewsOf(endpoint)).toList().forEach(Link::close);
    }

    public int openConnections() {
        return links.size();
    }

    // ---- what links ask

    boolean isObserved() {
        return !observers.isEmpty();
    }

    /** A request that arrives now, and the rule that applies to it. */
    InFlight arrived(Request request, @Nullable Rule rule) {
        return new InFlight(time, requests.incrementAndGet(), request, rule);
    }

    void tell(Observation observation) {
        observers.forEach(each -> each.observed(observation));
    }

    Socket connect(String host) throws IOException {
        return dialer.connect(host);
    }

    /** The address at which clients reach this server through the proxy. */
    String throughProxy(String host) {
        Endpoint endpoint = endpoints.get(host);
        try {
            return (endpoint == null ? open(host, 0) : endpoint).address();
        } catch (IOException e) {
            throw new IllegalStateException("no port for " + host, e);
        }
    }

    // ---- endpoints

    private Endpoint open(String host, int port) throws IOException {
        Endpoint fresh = new Endpoint(host, port, time);
        Endpoint before = endpoints.putIfAbsent(host, fresh);
        if (before != null) {
            fresh.close();
            return before;
        }
        Thread.ofVirtual().name("proxy-" + host).start(() -> fresh.accept(this::enter));
        return fresh;
    }

    private void enter(Endpoint endpoint, Socket accepted) throws IOException {
        accepted.setTcpNoDelay(true);
        Link link = new Link(this, endpoint, accepted, decrypted(accepted), connections.incrementAndGet());
        if (closed.getCount() == 0 || isOn(NetworkState.OUTAGE)) {
            link.reset();
            return;
        }
        links.add(link);
        if (isOn(NetworkState.BLACK_HOLE)) {
            link.swallow(() -> links.remove(link));
        } else if (isOn(NetworkState.BAD_HANDSHAKE)) {
            link.failHandshake(() -> links.remove(link));
        } else {
            link.start(() -> links.remove(link));
        }
    }

    private Socket decrypted(Socket accepted) throws IOException {
        return isOn(NetworkState.BAD_CERTIFICATE) ? listening.openedUntrusted(accepted) : listening.opened(accepted);
    }

    /** The name that the server at this address uses for itself; other members refer to it by that name. */
    private String nameOf(String host) throws IOException {
        RawDocument hello = new BsonWriter().put("hello", 1).put("$db", "admin").finish();
        try (Socket socket = connect(host)) {
            socket.setSoTimeout(TargetUri.CONNECT_TIMEOUT_MS);
            socket.getOutputStream().write(MessageWriter.encode(Message.OpMsg.of(1, 0, hello)));
            RawFrame reply = RawFrame.read(new BufferedInputStream(socket.getInputStream()));
            @Nullable
            Value me = reply != null && reply.decoded().message() instanceof Message.OpMsg msg
                    ? msg.body().get("me")
                    : null;
            return me instanceof Value.Str(var name) ? name.toString() : host;
        }
    }

    @Override
    public void close() throws IOException {
        closed.countDown();
        for (Endpoint each : endpoints.values()) {
            each.close();
        }
        List.copyOf(links).forEach(Link::close);
    }
}
