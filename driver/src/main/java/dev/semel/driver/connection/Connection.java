package dev.semel.driver.connection;

import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.description.ConnectionId;
import dev.semel.driver.description.ServerType;
import dev.semel.driver.error.MongoClientException;
import dev.semel.driver.error.MongoException;
import dev.semel.driver.error.MongoInterruptedException;
import dev.semel.driver.error.MongoSocketException;
import dev.semel.driver.error.MongoSocketOpenException;
import dev.semel.driver.error.MongoSocketReadException;
import dev.semel.driver.error.MongoSocketReadTimeoutException;
import dev.semel.driver.error.MongoSocketWriteException;
import dev.semel.driver.error.MongoSocketWriteTimeoutException;
import dev.semel.driver.setting.ServerAddress;
import dev.semel.wire.Limits;
import dev.semel.wire.bson.LittleEndian;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.message.Compressor;
import dev.semel.wire.message.Frame;
import dev.semel.wire.message.Message;
import dev.semel.wire.message.MessageReader;
import dev.semel.wire.message.MessageWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.bson.BsonBinaryWriter;
import org.bson.BsonDocument;
import org.bson.RawBsonDocument;
import org.bson.io.BasicOutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A connection: one request and its reply at a time. After any network error it is closed, because its position in the stream
 * is unknown. Used by one thread at a time; {@link #close} may come from another.
 */
public final class Connection implements AutoCloseable {
    /** The progress of the handshake: hello, then authentication. */
    public enum Phase {
        HELLO,
        AUTHENTICATING,
        OPEN
    }

    private static final int BUFFER_BYTES = 1024;

    /** A buffer that a large request has blown up is not kept. */
    private static final int KEPT_BUFFER_BYTES_MAX = 64 * 1024;

    /** Behind header, flags and the kind of the first section. */
    private static final int BODY_AT = 21;

    private static final int REQUEST_ID_AT = 4;

    private static final String NOT_OPEN = "the connection is not open";

    private static final int BODY = 0;
    private static final int SEQUENCE = 1;

    private final ServerAddress address;
    private final ConnectionSettings settings;
    private volatile int generation;
    private final long createdNanos;
    private long lastUsedNanos;
    private volatile boolean isClosed;
    private volatile @Nullable TimedSocket timed;

    /** What is written to: the timed one itself, or TLS over it. */
    private volatile @Nullable Socket socket;

    private @Nullable OutputStream out;
    private @Nullable MessageReader in;
    private BasicOutputBuffer buffer = new BasicOutputBuffer(BUFFER_BYTES);
    private Compressor compressor = Compressor.NONE;
    private ConnectionDescription description;
    private Phase phase = Phase.HELLO;

    /** The number of the request that was sent last. */
    private int requested;

    /** The number of the answer before, if the server goes on answering: the next one refers to it. Otherwise 0. */
    private int answered;

    public Connection(ServerAddress address, int id, int generation, ConnectionSettings settings) {
        this.address = address;
        this.settings = settings;
        createdNanos = settings.time().nanos();
        lastUsedNanos = createdNanos;
        this.generation = generation;
        description = new ConnectionDescription(
                new ConnectionId(address, id, null),
                ServerType.UNKNOWN,
                0,
                Handshake.DOCUMENT_BYTES_DEFAULT,
                Handshake.MESSAGE_BYTES_DEFAULT,
                0,
                null,
                null);
    }

    public ServerAddress address() {
        return address;
    }

    /** The generation of the pool when this was made; older than the pool's, it must not be used again. */
    public int generation() {
        return generation;
    }

    /** Behind a load balancer it belongs to the service that the connection leads to, which is known after the hello. */
    public void joinGeneration(int ofService) {
        generation = ofService;
    }

    /** Of the handshake; before it, only the id means something, and the limits are those of old servers. */
    public ConnectionDescription description() {
        return description;
    }

    public ConnectionId id() {
        return description.id();
    }

    public boolean isClosed() {
        return isClosed;
    }

    public long createdNanos() {
        return createdNanos;
    }

    public long lastUsedNanos() {
        return lastUsedNanos;
    }

    /** How far it has come; what a failure says about the server depends on it. */
    public Phase phase() {
        return phase;
    }

    /** Connects, says hello and authenticates. Returns the answer to hello. */
    public BsonDocument open(Deadline operation, @Nullable MonitorHello monitoring) {
        return open(operation, monitoring, () -> {});
    }

    /** The same; {@code whenHelloDone} runs between hello and authentication. */
    public BsonDocument open(Deadline operation, @Nullable MonitorHello monitoring, Runnable whenHelloDone) {
        Deadline deadline = operation.orEarlier(settings.time().after(settings.connectTimeout()));
        // The hello belongs to connecting; what follows are commands.
        Duration each = settings.commandTimeout();
        Supplier<Deadline> commands = operation.isGiven() || each == null
                ? () -> deadline
                : () -> settings.time().ofOperation(each);
        BsonDocument hello;
        var handshake = new Handshake(settings);
        try {
            connect(deadline);
            hello = handshake.hello(this, monitoring, deadline);
            phase = Phase.AUTHENTICATING;
            whenHelloDone.run();
        } catch (MongoSocketException e) {
            close();
            throw markOverload(e);
        } catch (MongoException e) {
            close();
            throw e;
        } catch (RuntimeException e) {
            close();
            throw new MongoClientException("The answer of " + address + " to hello cannot be understood", e);
        }
        try {
            handshake.authenticate(this, hello, commands);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
        phase = Phase.OPEN;
        return hello;
    }

    private void connect(Deadline deadline) {
        try {
            new Transport(settings).open(address, deadline, this::opened);
            Socket open = openSocket();
            out = open.getOutputStream();
            in = new MessageReader(open.getInputStream(), Limits.MESSAGE_BYTES_MAX);
        } catch (IOException e) {
            throw interrupted(e)
                    ? new MongoInterruptedException("Interrupted while connecting to " + address, e)
                    : new MongoSocketOpenException(
                            "Exception opening socket to " + address + ": " + e.getMessage(), address, e);
        }
    }

    private void opened(Socket each) {
        if (each instanceof TimedSocket one) {
            timed = one;
        }
        socket = each;
        if (isClosed) {
            Transport.close(each, timed);
        }
    }

    private Socket openSocket() throws IOException {
        Socket open = socket;
        if (open == null) {
            throw new IOException(NOT_OPEN);
        }
        return open;
    }

    /** A server that does not complete a hello is taken to be overloaded; a wrong name or certificate is another matter. */
    private static MongoException markOverload(MongoSocketException e) {
        if (!(e.getCause() instanceof UnknownHostException) && !(e.getCause() instanceof SSLException)) {
            e.addLabel(MongoException.SYSTEM_OVERLOADED_ERROR_LABEL);
            e.addLabel(MongoException.RETRYABLE_ERROR_LABEL);
        }
        return e;
    }

    void helloDone(ConnectionDescription found, Compressor agreed) {
        description = found;
        compressor = agreed;
    }

    int nextRequestId() {
        return settings.requestIds().getAsInt();
    }

    /**
     * The encoded request, until the next one is encoded; sent by {@link #send}. Returns its id. What is beyond the limits of
     * the server is refused here, where nothing has been sent yet and the connection remains usable.
     */
    public int encode(Command command, int flags) {
        if (buffer.getInternalBuffer().length > KEPT_BUFFER_BYTES_MAX) {
            buffer = new BasicOutputBuffer(BUFFER_BYTES);
        }
        buffer.truncateToPosition(0);
        int requestId = nextRequestId();
        buffer.writeInt32(0);
        buffer.writeInt32(requestId);
        buffer.writeInt32(0);
        buffer.writeInt32(Message.OpMsg.OPCODE);
        buffer.writeInt32(flags);
        buffer.writeByte(BODY);
        var writer = new BsonBinaryWriter(buffer);
        writer.writeStartDocument();
        command.writeFields(writer);
        writer.writeEndDocument();
        SizeLimit.check(
                "A command", buffer.getPosition() - BODY_AT, SizeLimit.ofContaining(description.maxDocumentBytes()));
        Command.Sequence sequence = command.sequence();
        if (sequence != null) {
            buffer.writeByte(SEQUENCE);
            int start = buffer.getPosition();
            buffer.writeInt32(0);
            buffer.writeCString(sequence.field());
            sequence.write(buffer);
            buffer.writeInt32(start, buffer.getPosition() - start);
        }
        SizeLimit.check("A message", buffer.getPosition(), description.maxMessageBytes());
        buffer.writeInt32(0, buffer.getPosition());
        return requestId;
    }

    /** The body of the encoded request, decoded where it is looked at. */
    public BsonDocument encodedBody() {
        byte[] bytes = buffer.getInternalBuffer();
        return new RawBsonDocument(Arrays.copyOfRange(bytes, BODY_AT, bodyEnd(bytes)));
    }

    private static int bodyEnd(byte[] bytes) {
        return BODY_AT + RawDocument.view(bytes, BODY_AT).length();
    }

    /** The encoded sequence of documents that travels beside the body, as bytes from its first document on. */
    public byte[] encodedAfterBody() {
        byte[] bytes = buffer.getInternalBuffer();
        return Arrays.copyOfRange(bytes, bodyEnd(bytes), buffer.getPosition());
    }

    /** Sends what was encoded. */
    public void send(String commandName, Deadline deadline) {
        requested = LittleEndian.int32(buffer.getInternalBuffer(), REQUEST_ID_AT);
        if (compressor == Compressor.NONE || !Compressor.mayCompress(commandName)) {
            send(buffer.getInternalBuffer(), buffer.getPosition(), deadline);
        } else {
            byte[] compressed = compressed();
            send(compressed, compressed.length, deadline);
        }
    }

    private byte[] compressed() {
        try {
            return MessageWriter.compressed(
                    Arrays.copyOf(buffer.getInternalBuffer(), buffer.getPosition()), compressor, settings.zlibLevel());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sends a message that is no OP_MSG, as the first hello is. */
    void send(Message.OpQuery message, Deadline deadline) {
        byte[] bytes = MessageWriter.encode(message);
        requested = message.requestId();
        send(bytes, bytes.length, deadline);
    }

    private void send(byte[] bytes, int length, Deadline deadline) {
        try {
            OutputStream stream = out;
            limited(deadline);
            if (stream == null) {
                throw new IOException(NOT_OPEN);
            }
            stream.write(bytes, 0, length);
        } catch (SocketTimeoutException e) {
            close();
            throw new MongoSocketWriteTimeoutException("Timeout while sending message to " + address, address, e);
        } catch (IOException e) {
            close();
            throw interrupted(e)
                    ? new MongoInterruptedException("Interrupted while sending to " + address, e)
                    : new MongoSocketWriteException(
                            "Exception sending message to " + address + ": " + e.getMessage(), address, e);
        }
    }

    private void limited(Deadline deadline) throws IOException {
        TimedSocket open = timed;
        if (open == null) {
            throw new IOException(NOT_OPEN);
        }
        open.limit(deadline, settings.readTimeout());
    }

    /** Waits for the next answer until the deadline, or for as long as the settings say where there is none. */
    public Reply receive(Deadline deadline) {
        try {
            MessageReader reader = in;
            limited(deadline);
            if (reader == null) {
                throw new IOException(NOT_OPEN);
            }
            Frame frame = reader.read();
            if (frame == null) {
                throw new IOException("Prematurely reached end of stream");
            }
            lastUsedNanos = settings.time().nanos();
            return switch (frame.message()) {
                case Message.OpMsg message -> {
                    check(message.responseTo());
                    answered = message.moreToCome() ? message.requestId() : 0;
                    yield new Reply(message.body(), message.moreToCome(), address);
                }
                case Message.OpReply message -> {
                    check(message.responseTo());
                    yield new Reply(message.document(), false, address);
                }
                case Message.OpQuery query -> throw new IOException("a request where an answer was expected");
            };
        } catch (SocketTimeoutException e) {
            close();
            throw new MongoSocketReadTimeoutException("Timeout while receiving message from " + address, address, e);
        } catch (IOException e) {
            close();
            throw interrupted(e)
                    ? new MongoInterruptedException("Interrupted while waiting for " + address, e)
                    : new MongoSocketReadException(
                            "Exception receiving message from " + address + ": " + e.getMessage(), address, e);
        }
    }

    /** After a reply to another request, repeated or late, each later request would get the wrong reply. */
    private void check(int responseTo) throws IOException {
        boolean follows = answered != 0 && responseTo == answered;
        if (responseTo != requested && !follows) {
            throw new IOException(
                    "an answer to request " + responseTo + " where one to request " + requested + " was expected");
        }
    }

    /** One request, one answer. */
    public Reply exchange(Command command, Deadline deadline) {
        encode(command, 0);
        send(command.name(), deadline);
        return receive(deadline);
    }

    // An interrupted virtual thread finds its socket closed under it.
    private static boolean interrupted(IOException e) {
        return Thread.currentThread().isInterrupted() && !(e instanceof SocketTimeoutException);
    }

    @Override
    public void close() {
        isClosed = true;
        Transport.close(socket, timed);
    }

    @Override
    public String toString() {
        return "connection " + description.id().localValue() + " to " + address;
    }
}
