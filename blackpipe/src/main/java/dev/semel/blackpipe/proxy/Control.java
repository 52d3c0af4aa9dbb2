package dev.semel.blackpipe.proxy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.blackpipe.fault.BadPlan;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.PlanText;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Json;
import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** Changes a proxy while it runs, over HTTP, so that a test in any language can. */
public final class Control implements AutoCloseable {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;

    private final Proxy proxy;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private record Answer(int status, RawDocument body) {}

    private Control(Proxy proxy, HttpServer http) {
        this.proxy = proxy;
        this.http = http;
    }

    /** Listens on this port of the loopback address; 0 for a free one. */
    public static Control start(Proxy proxy, int port) throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Control control = new Control(proxy, http);
        http.createContext("/", control::handle);
        http.setExecutor(control.threads);
        http.start();
        return control;
    }

    /** The address it listens on. */
    public String url() {
        return "http://" + http.getAddress().getAddress().getHostAddress() + ":"
                + http.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (BadPlan | IllegalArgumentException e) {
                answer = new Answer(
                        BAD_REQUEST,
                        new BsonWriter()
                                .put("error", String.valueOf(e.getMessage()))
                                .finish());
            }
            byte[] body = (Json.relaxed(answer.body()) + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) throws IOException {
        String what =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        for (NetworkState each : NetworkState.values()) {
            if (what.equals("POST /" + each.label())) {
                proxy.begin(each, ms(exchange));
                return new Answer(OK, state());
            }
            if (what.equals("DELETE /" + each.label())) {
                proxy.end(each);
                return new Answer(OK, state());
            }
        }
        switch (what) {
            case "GET /plan" -> {}
            case "PUT /plan" -> proxy.plan().replace(rules(body));
            case "POST /plan" -> proxy.plan().add(rules(body));
            case "DELETE /plan" -> proxy.plan().replace(List.of());
            case "POST /stepdown" -> proxy.stepDown(ms(exchange));
            default -> {
                return new Answer(
                        NOT_FOUND,
                        new BsonWriter()
                                .put(
                                        "error",
                                        what + " is not known; there are GET, PUT, POST and DELETE /plan,"
                                                + " POST /stepdown?ms=, and POST ?ms= and DELETE of "
                                                + Arrays.stream(NetworkState.values())
                                                        .map(each -> "/" + each.label())
                                                        .collect(Collectors.joining(", ")))
                                .finish());
            }
        }
        return new Answer(OK, state());
    }

    private List<Rule> rules(String body) {
        List<Rule> rules = PlanText.parse(body, "the request");
        proxy.check(rules);
        return rules;
    }

    private static long ms(HttpExchange exchange) {
        String query = exchange.getRequestURI().getQuery();
        if (query == null || !query.matches("ms=[0-9]{1,9}")) {
            throw new IllegalArgumentException("say for how long, as in ?ms=2000");
        }
        return Long.parseLong(query.substring(3));
    }

    private RawDocument state() {
        BsonWriter state = new BsonWriter()
                .put("uri", proxy.clientUri().shown())
                .put("connections", proxy.openConnections())
                .put("stepDown", proxy.isSteppedDown());
        for (NetworkState each : NetworkState.values()) {
            state.put(each.label(), proxy.isOn(each));
        }
        state.startArray("rules");
        for (Plan.RuleStatus each : proxy.plan().status()) {
            state.startDocument()
                    .put("rule", each.rule().toString())
                    .put("matched", each.matched())
                    .put("injected", each.injected())
                    .end();
        }
        return state.end().finish();
    }

    @Override
    public void close() {
        http.stop(0);
        threads.close();
    }
}
