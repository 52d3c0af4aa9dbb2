package dev.semel.faults;

import dev.semel.cluster.MemberHandle;
import dev.semel.replication.Entry;
import dev.semel.replication.GroupId;
import dev.semel.replication.Membership;
import dev.semel.replication.Outcome;
import dev.semel.replication.ReplicatedState;
import dev.semel.replication.ReplicationEngine;
import dev.semel.replication.ReplicationNode;
import dev.semel.replication.ReplicationOptions;
import dev.semel.replication.ratis.RatisNode;
import dev.semel.store.Batch;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import dev.semel.store.Scan;
import dev.semel.store.Snapshot;
import dev.semel.store.Store;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A defect of the members, which the workloads must notice. */
enum Plant {
    NONE,

    /** A primary takes for committed what it alone has. */
    COMMIT_ALONE {
        @Override
        ReplicationNode engine(ReplicationOptions options, Network network) throws IOException {
            return new Replaced(super.engine(options, network), (engine, state, method, arguments) -> {
                Object outcome = method.invoke(engine, arguments);
                if (method.getName().equals("propose")) {
                    state.apply(List.of(new Entry(state.applied(), (byte[]) arguments[0])));
                }
                return outcome;
            });
        }
    },

    /** The others get the records of retryable writes as those of other sessions. */
    LOSE_RECORDS {
        @Override
        ReplicationNode engine(ReplicationOptions options, Network network) throws IOException {
            return new Replaced(super.engine(options, network), (engine, state, method, arguments) -> {
                if (method.getName().equals("propose")) {
                    arguments[0] = MemberHandle.underOtherSessions((byte[]) arguments[0]);
                }
                return method.invoke(engine, arguments);
            });
        }
    },

    /** A primary that lost its term keeps what it had applied ahead. */
    FORGET_UNDO {
        @Override
        Store opened(Store store) {
            forgetUndo(store);
            return store;
        }
    },

    /** A primary does not ask the others before a linearizable read. */
    READ_OLD {
        @Override
        ReplicationNode engine(ReplicationOptions options, Network network) throws IOException {
            return new Replaced(
                    super.engine(options, network),
                    (engine, state, method, arguments) -> method.getName().equals("barrier")
                            ? CompletableFuture.completedFuture(new Outcome.Applied(state.applied()))
                            : method.invoke(engine, arguments));
        }
    };

    ReplicationNode engine(ReplicationOptions options, Network network) throws IOException {
        return RatisNode.start(options, network);
    }

    /** Each time a server is opened on the data of a member. */
    Store opened(Store store) {
        return store;
    }

    @FunctionalInterface
    private interface Calls {
        @Nullable
        Object call(ReplicationEngine engine, ReplicatedState state, Method method, Object[] arguments)
                throws ReflectiveOperationException;
    }

    /** An engine some of whose methods do something else. */
    private record Replaced(ReplicationNode node, Calls calls) implements ReplicationNode {
        @Override
        public ReplicationEngine open(
                GroupId group, Membership initial, ReplicatedState state, Consumer<Throwable> fatal)
                throws IOException {
            ReplicationEngine engine = node.open(group, initial, state, fatal);
            return replaced(
                    ReplicationEngine.class, (method, arguments) -> calls.call(engine, state, method, arguments));
        }

        @Override
        public void close() {
            node.close();
        }
    }

    @FunctionalInterface
    private interface Call {
        @Nullable
        Object call(Method method, Object[] arguments) throws ReflectiveOperationException;
    }

    private static <T> T replaced(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, all) -> {
            try {
                return call.call(method, all == null ? new Object[0] : all);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        }));
    }

    /** The data stays, and the position is that before it. */
    private static void forgetUndo(Store store) {
        Batch batch = new Batch();
        Position position = store.position();
        LogPosition log = position.log();
        try (Snapshot snapshot = store.snapshot(position.clusterTime());
                Scan scan = snapshot.scan(Table.UNDO, KeyRange.ALL, true)) {
            while (scan.next()) {
                ByteBuffer row = ByteBuffer.wrap(scan.value());
                position = new Position(row.getLong(), row.getLong(), row.getLong(), log);
                batch.delete(Table.UNDO, scan.key());
                batch.position(position);
            }
        }
        if (!position.equals(store.position())) {
            store.write(batch, true);
        }
    }
}
