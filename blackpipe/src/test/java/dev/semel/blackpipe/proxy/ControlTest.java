package dev.semel.blackpipe.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.script.ScriptedServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ControlTest {
    private static String send(Control control, String method, String path, String body)
            throws IOException, InterruptedException {
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(control.url() + path))
                    .method(method, HttpRequest.BodyPublishers.ofString(body))
                    .build();
            var response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return response.statusCode() + " " + response.body().strip();
        }
    }

    @Test
    void planChangesWhileTheProxyRuns() throws IOException, InterruptedException {
        try (var server = ScriptedServer.start();
                var proxy = Proxy.start(server.uri(), Plan.of());
                var control = Control.start(proxy, 0)) {
            String rule = "- match: {command: insert}\n  action: close\n";
            assertThat(send(control, "PUT", "/plan", rule))
                    .startsWith("200 ")
                    .contains("\"rules\": [{\"rule\": \"insert -> before: close\", \"matched\": 0, \"injected\": 0}]");
            send(control, "POST", "/plan", rule);
            assertThat(proxy.plan().status()).hasSize(2);
            assertThat(send(control, "PUT", "/plan", "- action: explode"))
                    .startsWith("400 ")
                    .contains("the request, line 1: unknown action 'explode'");
            assertThat(proxy.plan().status()).hasSize(2);
            assertThat(send(control, "POST", "/outage", "")).startsWith("400 ").contains("?ms=2000");
            assertThat(send(control, "POST", "/outage?ms=10", "")).startsWith("200 ");
            for (var trouble : List.of("outage", "blackhole")) {
                assertThat(send(control, "POST", "/" + trouble + "?ms=60000", ""))
                        .contains("\"stepDown\": false", "\"" + trouble + "\": true");
                assertThat(send(control, "DELETE", "/" + trouble, "")).contains("\"" + trouble + "\": false");
            }
            assertThat(send(control, "POST", "/badcertificate?ms=60000", ""))
                    .startsWith("400 ")
                    .contains("'badcertificate' needs clients that encrypt: give the proxy a certificate");
            assertThat(send(control, "PUT", "/plan", "- action: badhandshake"))
                    .startsWith("400 ")
                    .contains("'badhandshake for ever' needs clients that encrypt");
            assertThat(send(control, "POST", "/stepdown?ms=60000", "")).contains("\"stepDown\": true");
            assertThat(send(control, "DELETE", "/plan", "")).contains("\"rules\": []");
            assertThat(send(control, "GET", "/nothing", "")).startsWith("404 ");
        }
    }

    @Test
    void logHasALinePerRequest() throws IOException {
        var text = new StringWriter();
        try (var server = ScriptedServer.start();
                var proxy = Proxy.start(server.uri(), Plan.of())) {
            proxy.observe(new TrafficLog(new PrintWriter(text), ZoneOffset.UTC));
            try (var client = com.mongodb.client.MongoClients.create(proxy.uri())) {
                client.getDatabase("admin").runCommand(new org.bson.Document("ping", 1));
            }
        }
        assertThat(text.toString().lines().filter(line -> line.contains("ping")))
                .singleElement()
                .asString()
                .matches("\\d\\d:\\d\\d:\\d\\d\\.\\d{3} #\\d+ +ping admin +\\d+ B +[\\d.]+ ms  ok");
    }
}
