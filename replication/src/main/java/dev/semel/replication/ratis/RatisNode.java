package dev.semel.replication.ratis;

import dev.semel.replication.Completion;
import dev.semel.replication.GroupId;
import dev.semel.replication.Links;
import dev.semel.replication.Membership;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.GroupManagementRequest;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.thirdparty.io.grpc.ServerInterceptor;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;

/** A Ratis server and the groups on it. */
public final class RatisNode implements ReplicationNode {
    /** Not through SLF4J. Held, or its level would be forgotten. */
    private static final Logger GRPC = Logger.getLogger("org.apache.ratis.thirdparty.io.grpc");

    static {
        // Its remarks say nothing to users, whose own choice counts.
        if (GRPC.getLevel() == null) {
            GRPC.setLevel(Level.WARNING);
        }
    }

    private final ReplicationOptions options;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Map<RaftGroupId, GroupMachine> machines = new ConcurrentHashMap<>();
    private final Map<RaftGroupId, RatisEngine> engines = new ConcurrentHashMap<>();
    private final ScheduledExecutorService executor;
    private final ExecutorService rehearsals = Executors.newThreadPerTaskExecutor(
            Thread.ofPlatform().name("replication-rehearsal").daemon().factory());

    private RatisNode(ReplicationOptions options, List<ServerInterceptor> interceptors) throws IOException {
        this.options = options;
        var leaderWatch = new LeaderWatch(options, engines.values());
        var folder = Files.createDirectories(options.folder()).toFile();
        var properties = RatisSettings.properties(options);
        RatisSettings.useNoFolder(properties);
        leaveTheJvmAlone();
        var all = new ArrayList<>(interceptors);
        all.add(new Backpressure(machines::get));
        all.add(new Admission(group -> engines.containsKey(group) ? machines.get(group) : null));
        all.add(new MembersOnly());
        server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(options.self()))
                .setStateMachineRegistry(this::machine)
                .setProperties(properties)
                .setParameters(RatisSettings.parameters(options, all, leaderWatch::connectionClosed))
                .build();
        RatisSettings.useFolder(properties, folder);
        executor = Executors.newSingleThreadScheduledExecutor(task -> Thread.ofPlatform()
                .name("replication-" + options.self())
                .daemon()
                .unstarted(task));
    }

    /**
     * Ratis would end the JVM if it cannot listen, and if any thread of the application ends with an exception: for that, the
     * class that does it takes the place of what the JVM calls for such threads, when it is loaded.
     */
    private static void leaveTheJvmAlone() {
        var before = Thread.getDefaultUncaughtExceptionHandler();
        ExitUtils.disableSystemExit();
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    /**
     * The newest checkpoint that a group has saved or received, while it is not open; null if there is none. It is in the
     * folder until the group is opened and saves or receives another one.
     */
    public static @Nullable Path newestCheckpoint(Path folder, GroupId group) throws IOException {
        return Checkpoints.newest(folder.resolve(group.toString()));
    }

    /** Listens for the other members. */
    public static ReplicationNode start(ReplicationOptions options) throws IOException {
        return start(options, List.of());
    }

    /** The same with links that lose messages. */
    public static RatisNode start(ReplicationOptions options, Links links) throws IOException {
        return start(options, List.of(new Arrivals(options.self(), links)));
    }

    static RatisNode start(ReplicationOptions options, List<ServerInterceptor> interceptors) throws IOException {
        if (options.tls() == null && !InetAddress.getByName(options.host()).isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "The port for members of the replica set listens at %s only with TLS, or use a loopback address"
                            .formatted(options.host()));
        }
        var node = new RatisNode(options, interceptors);
        try {
            node.server.start();
        } catch (ExitUtils.ExitException e) {
            node.close();
            throw new IOException(
                    "Cannot listen for members of the replica set at %s:%d: %s"
                            .formatted(options.host(), options.port(), reason(e)),
                    e);
        }
        return node;
    }

    private static String reason(Throwable e) {
        Throwable last = e;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return String.valueOf(last.getMessage());
    }

    private StateMachine machine(RaftGroupId group) {
        var machine = machines.get(group);
        if (machine == null) {
            throw new IllegalStateException("No state for group " + group);
        }
        return machine;
    }

    @Override
    public ReplicationEngine open(GroupId group, Membership initial, ReplicatedState state, Consumer<Throwable> fatal)
            throws IOException {
        var id = Peers.id(group);
        var machine = new GroupMachine("state-" + options.self() + "-" + group, state, options, cause -> {
            executor.execute(() -> closeFailed(id));
            fatal.accept(cause);
        });
        if (machines.putIfAbsent(id, machine) != null) {
            machine.close();
            throw new IllegalStateException("Group " + group + " is open already");
        }
        try {
            Path folder = options.folder().resolve(group.toString());
            Checkpoints.recover(folder);
            TornEntry.cut(folder);
            boolean isNew = !Files.exists(folder);
            succeed(server.groupManagementAsync(GroupManagementRequest.newAdd(
                    client, server.getId(), calls.incrementAndGet(), Peers.group(group, initial), isNew)));
        } catch (IOException e) {
            machine.closing();
            machines.remove(id);
            machine.close();
            throw new IOException("Cannot open the log in %s: %s".formatted(options.folder(), reason(e)), e);
        }
        var division = server.getDivision(id);
        var engine = new RatisEngine(
                group, server, division, machine, options, executor, each -> rehearse(group, each), () -> stop(id));
        engines.put(id, engine);
        return engine;
    }

    private void closeFailed(RaftGroupId group) {
        var engine = engines.get(group);
        if (engine != null) {
            engine.close();
        }
    }

    private Future<Completion> rehearse(GroupId group, Membership membership) {
        return rehearsals.submit(() -> new Rehearsal(this, server, options.folder()).run(group, membership));
    }

    private void stop(RaftGroupId group) {
        engines.remove(group);
        try {
            close(() -> succeed(server.groupManagementAsync(GroupManagementRequest.newRemove(
                    client, server.getId(), calls.incrementAndGet(), group, false, false))));
        } catch (IOException e) {
            // It has stopped already.
        }
        machines.remove(group);
    }

    private static void close(CloseLimit.Closing closing) throws IOException {
        CloseLimit.run(() -> EvictionDeadlock.resolveDuring(closing));
    }

    private static void succeed(Future<RaftClientReply> answer) throws IOException {
        try {
            var reply = answer.get();
            if (!reply.isSuccess()) {
                throw new IOException(String.valueOf(reply.getException()), reply.getException());
            }
        } catch (ExecutionException e) {
            throw new IOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    @Override
    public void close() {
        engines.values().forEach(RatisEngine::stopAccepting);
        executor.shutdownNow();
        rehearsals.shutdownNow();
        try {
            close(server::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            engines.values().forEach(RatisEngine::settleAll);
            endRehearsals();
        }
    }

    private void endRehearsals() {
        try {
            CloseLimit.run(rehearsals::close);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
