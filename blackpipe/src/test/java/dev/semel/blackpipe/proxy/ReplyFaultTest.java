package dev.semel.blackpipe.proxy;

import static dev.semel.blackpipe.message.Match.command;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoInternalException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.client.MongoClients;
import dev.semel.blackpipe.PyMongo;
import dev.semel.blackpipe.fault.Action;
import dev.semel.blackpipe.fault.Phase;
import dev.semel.blackpipe.fault.Plan;
import dev.semel.blackpipe.fault.Rule;
import dev.semel.blackpipe.message.Match;
import dev.semel.blackpipe.message.RawFrame;
import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Replies that are cut, late, or another's; what drivers make of them, and what the data says. */
@SuppressWarnings("NullAway.Init") // every test begins with through()
class ReplyFaultTest {
    private static final Match INSERT = command("insert").on("db.c");
    private static final String BY_HAND = "&retryWrites=false";

    private static Server server;
    private static com.mongodb.client.MongoClient direct;
    private final StringWriter log = new StringWriter();
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

    private void through(Rule rule) throws IOException {
        proxy = Proxy.start(server.connectionString(), Plan.of(rule));
        proxy.observe(new TrafficLog(new PrintWriter(log), ZoneOffset.UTC));
    }

    private static Rule reply(Action action) {
        return Rule.of(INSERT, Phase.AFTER_APPLY, action);
    }

    /** With the official driver, twice on the same connection; the first has the fault. */
    private void insertTwice(String options) {
        try (var client = MongoClients.create(proxy.uri() + options + "&maxPoolSize=1")) {
            var collection = client.getDatabase("db").getCollection("c");
            collection.insertOne(new Document("_id", 1));
            collection.insertOne(new Document("_id", 2));
        }
    }

    private static long stored() {
        return direct.getDatabase("db").getCollection("c").countDocuments();
    }

    private List<String> faulty() {
        return log.toString()
                .lines()
                .filter(line -> line.contains("**"))
                .map(line -> line.replaceAll(".* ms  ", ""))
                .toList();
    }

    @Test
    void halfAReplyIsALostReply() throws IOException {
        through(Rule.of(INSERT, Phase.WITHIN_REPLY, new Action.Close()).atByte(20));
        assertThatThrownBy(() -> insertTwice(BY_HAND)).isInstanceOf(MongoSocketException.class);
        assertThat(stored()).isEqualTo(1);
        assertThat(faulty()).containsExactly("no reply  ** withinReply byte 20: close **");
    }

    @Test
    void retryableWriteWithHalfAReplyHappensOnce() throws IOException {
        through(Rule.of(INSERT, Phase.WITHIN_REPLY, new Action.Reset()).atByte(20));
        insertTwice("");
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void restOfACutReplyMayComeLater() throws IOException {
        through(Rule.of(INSERT, Phase.WITHIN_REPLY, new Action.Delay(20)).atByte(20));
        insertTwice(BY_HAND);
        assertThat(stored()).isEqualTo(2);
        assertThat(faulty()).containsExactly("ok n=1  ** withinReply byte 20: delay 20 ms **");
    }

    @Test
    void drippingMessagesArriveWhole() throws IOException {
        through(reply(new Action.Drip(7, 1)));
        insertTwice(BY_HAND);
        assertThat(faulty()).containsExactly("ok n=1  ** afterApply: drip 7 bytes every 1 ms **");
        stop();
        through(Rule.of(INSERT, Phase.BEFORE, new Action.Drip(16, 1)));
        insertTwice(BY_HAND);
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void dripThatIsSlowerThanTheClientsTimeoutIsALostReply() throws IOException {
        through(reply(new Action.Drip(1, 60_000)));
        assertThatThrownBy(() -> insertTwice(BY_HAND + "&socketTimeoutMS=200"))
                .isInstanceOf(MongoSocketReadTimeoutException.class);
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void duplicatedReplyIsNoticedByTheNextOperation() throws IOException {
        through(reply(new Action.DuplicateReply()));
        assertThatThrownBy(() -> insertTwice(BY_HAND))
                .isInstanceOf(MongoInternalException.class)
                .hasMessageContaining("responseTo");
        assertThat(stored()).isEqualTo(2);
        assertThat(faulty()).contains("ok n=1  ** afterApply: duplicate **");
    }

    @Test
    void staleReplyIsNoticedAtOnce() throws IOException {
        through(reply(new Action.StaleReply()));
        assertThatThrownBy(() -> insertTwice(BY_HAND))
                .isInstanceOf(MongoInternalException.class)
                .hasMessageContaining("responseTo");
        assertThat(stored()).isEqualTo(1);
        assertThat(faulty()).containsExactly("no reply  ** afterApply: stale **");
    }

    @Test
    void pyMongoNoticesAStaleReply() throws IOException {
        through(reply(new Action.StaleReply()));
        PyMongo.assume();
        String said = PyMongo.run("""
            import sys, pymongo
            try:
                pymongo.MongoClient(sys.argv[1]).db.c.insert_one({"_id": 1})
                print("done")
            except Exception as e:
                print(type(e).__name__, e)
            """, proxy.uri() + BY_HAND);
        assertThat(said).startsWith("ProtocolError Got response id ");
        assertThat(stored()).isEqualTo(1);
    }

    @Test
    void replyThatWaitsForTheNextOneIsLateForAClientThatSendsOneAtATime() throws IOException {
        through(reply(new Action.Reorder(Action.FOREVER)));
        assertThatThrownBy(() -> insertTwice(BY_HAND + "&socketTimeoutMS=200"))
                .isInstanceOf(MongoSocketReadTimeoutException.class);
        assertThat(stored()).isEqualTo(1);
        stop();
        through(reply(new Action.Reorder(20)));
        insertTwice(BY_HAND);
        assertThat(stored()).isEqualTo(2);
    }

    @Test
    void repliesChangePlacesForAClientThatSendsAhead() throws IOException {
        through(Rule.of(command("ping"), Phase.AFTER_APPLY, new Action.Reorder(Action.FOREVER))
                .nth(2));
        assertThat(answeredOrder(5)).containsExactly(1, 3, 2, 4, 5);
    }

    /** So many pings at once on one connection, and the requests that the replies name, in their order. */
    private List<Integer> answeredOrder(int count) throws IOException {
        var address = proxy.clientUri().hosts().getFirst();
        try (var socket = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)))) {
            socket.setSoTimeout(10_000);
            var requests = new ByteArrayOutputStream();
            for (int id = 1; id <= count; id++) {
                var ping = new BsonWriter().put("ping", 1).put("$db", "admin").finish();
                requests.write(MessageWriter.encode(Message.OpMsg.of(id, 0, ping)));
            }
            socket.getOutputStream().write(requests.toByteArray());
            List<Integer> answered = new ArrayList<>();
            while (answered.size() < count) {
                var reply = RawFrame.read(socket.getInputStream());
                if (reply == null) {
                    throw new AssertionError("only " + answered);
                }
                answered.add(reply.responseTo());
            }
            return answered;
        }
    }
}
