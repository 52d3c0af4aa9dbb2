package dev.semel.blackpipe.proxy;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketOpenException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.client.MongoClients;
import dev.semel.blackpipe.PyMongo;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Faults of the whole network between drivers and a server: what a client sees of them while they last, and afterwards. */
@SuppressWarnings("NullAway.Init") // every test begins with through()
class NetworkFaultTest {
    private static final Match INSERT = command("insert").on("db.c");
    private static final String SHORT = "&serverSelectionTimeoutMS=700&connectTimeoutMS=500";

    private static Server server;
    private static com.mongodb.client.MongoClient direct;
    private final StringWriter log = new StringWriter();
    private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    private Proxy proxy;

    @BeforeAll
    static void serve() throws IOException {
        server = Server.start(ServerOptions.memory());
        direct = MongoClients.create(server.connectionString());
    }

    @AfterAll
    static void end() {
        direct.close();
        server.close();
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        direct.getDatabase("db").drop();
    }

    private void through(Rule... rules) throws IOException {
        proxy = Proxy.start(server.connectionString(), Plan.of(rules));
        proxy.observe(new TrafficLog(new PrintWriter(log), ZoneOffset.UTC));
        proxy.observe(new Observation.Observer() {
            @Override
            public void observed(Observation observation) {}

            @Override
            public void networkChanged(java.time.Instant when, String what) {
                changes.add(what);
            }
        });
    }

    private void awaitChange(String what) throws InterruptedException {
        assertThat(changes.poll(20, TimeUnit.SECONDS)).isEqualTo(what);
    }

    private void insert(String options) {
        try (var client = MongoClients.create(proxy.uri() + options)) {
            client.getDatabase("db").getCollection("c").insertOne(new Document());
        }
    }

    private static long stored() {
        return direct.getDatabase("db").getCollection("c").countDocuments();
    }

    private int port() {
        var host = proxy.clientUri().hosts().getFirst();
        return Integer.parseInt(host.substring(host.indexOf(':') + 1));
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port());
    }

    private List<String> lines() {
        return log.toString().lines().map(line -> line.substring(13).strip()).toList();
    }

    // ---- outage

    @Test
    void outageRefusesConnectionsAndKeepsThePort() throws IOException {
        through();
        proxy.outage(Action.FOREVER);
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class).hasMessageContaining("refused");
        assertThatThrownBy(() -> new ServerSocket(port(), 1, InetAddress.getLoopbackAddress()).close())
                .isInstanceOf(BindException.class);
        proxy.endOutage();
        assertThatCode(() -> connect().close()).doesNotThrowAnyException();
        assertThat(lines())
                .filteredOn(line -> line.contains("**"))
                .containsExactly("** outage for ever **", "** outage is over **");
    }

    @Test
    void outageEndsByItself() throws IOException, InterruptedException {
        through();
        proxy.outage(50);
        awaitChange("outage 50 ms");
        awaitChange("outage is over");
        insert("");
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void laterOutageCountsAndTheEarlierDoesNotEndIt() throws IOException, InterruptedException {
        through();
        proxy.outage(50);
        proxy.outage(Action.FOREVER);
        awaitChange("outage 50 ms");
        awaitChange("outage for ever");
        assertThat(changes.poll(200, TimeUnit.MILLISECONDS)).isNull();
        assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class);
    }

    @Test
    void driversReportThatTheConnectionIsRefused() throws IOException {
        through(Rule.of(INSERT, Phase.BEFORE, new Action.Outage(Action.FOREVER)));
        assertThatThrownBy(() -> insert(SHORT)).isInstanceOf(MongoSocketException.class);
        assertThatThrownBy(() -> insert(SHORT))
                .isInstanceOf(MongoTimeoutException.class)
                .hasMessageContaining(MongoSocketOpenException.class.getSimpleName())
                .hasMessageContaining("Connection refused");
        assertThat(lines()).contains("** outage for ever **");
        assertThat(lines().toString()).contains("no reply  ** before: outage for ever **");
    }

    @Test
    void pyMongoReportsThatTheConnectionIsRefused() throws IOException {
        through();
        PyMongo.assume();
        proxy.outage(Action.FOREVER);
        String said = PyMongo.run("""
            import sys, pymongo
            try:
                pymongo.MongoClient(sys.argv[1]).db.c.insert_one({"_id": 1})
            except Exception as e:
                print(type(e).__name__, e)
            """, proxy.uri() + "&serverSelectionTimeoutMS=700");
        assertThat(said).startsWith("ServerSelectionTimeoutError ").contains("Connection refused");
    }

    @Test
    void retryableWriteSurvivesAnOutageThatEnds() throws IOException {
        through(Rule.of(INSERT, Phase.AFTER_APPLY, new Action.Outage(300)));
        insert("");
        assertThat(stored()).isEqualTo(1);
    }

    // ---- black hole

    @Test
    void blackHoleTakesBytesAndSaysNothing() throws IOException {
        through();
        proxy.blackHole(Action.FOREVER);
        try (var socket = connect()) {
            socket.setSoTimeout(200);
            socket.getOutputStream().write(new byte[100_000]);
            assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        }
        assertThatThrownBy(() -> insert(SHORT))
                .isInstanceOf(MongoTimeoutException.class)
                .hasMessageContaining("SocketTimeoutException");
        proxy.endBlackHole();
        insert("");
        assertThat(stored()).isEqualTo(1);
        assertThat(lines()).contains("** blackhole for ever **", "** blackhole is over **");
    }

    @Test
    void connectionsOfBeforeStaySilentAndTheClientsTimeoutEndsThem() throws IOException {
        through(Rule.of(INSERT, Phase.AFTER_APPLY, new Action.BlackHole(400)));
        insert("&socketTimeoutMS=300");
        assertThat(stored()).isEqualTo(1);
        assertThat(lines().toString()).contains("no reply  ** afterApply: blackhole 400 ms **");
        stop();
        through(Rule.of(INSERT, Phase.BEFORE, new Action.BlackHole(Action.FOREVER)));
        assertThatThrownBy(() -> insert(SHORT + "&retryWrites=false&socketTimeoutMS=300"))
                .isInstanceOf(MongoSocketReadTimeoutException.class);
        assertThat(stored()).isZero();
    }
}
