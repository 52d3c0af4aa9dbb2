package dev.semel.server.catalog;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.Namespace;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Which indexes are being built beside writers, one build for each collection at a time. */
final class RunningBuilds {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Map<Namespace, Running> running = new ConcurrentHashMap<>();

    private record Running(List<IndexSpec> specs, Interruption interruption) {}

    /** The name is locked until {@link #ended}. */
    void begun(Namespace namespace, List<IndexSpec> specs, Interruption interruption) {
        running.put(namespace, new Running(specs, interruption));
    }

    void ended(Namespace namespace) {
        running.remove(namespace);
    }

    /** Waits until no index is being built for a collection: a request for the same index then finds it there. */
    void awaitNone(Namespace namespace, Interruption interruption) {
        while (running.containsKey(namespace)) {
            interruption.check();
            interruption.park(this, LOOK_NANOS);
        }
    }

    /** Makes a build fail if one of its indexes is meant; which indexes it was making, then. */
    List<IndexSpec> abort(Namespace namespace, Predicate<IndexSpec> meant, String why) {
        Running build = running.get(namespace);
        if (build == null || build.specs.stream().noneMatch(meant)) {
            return List.of();
        }
        build.interruption.kill(new CommandException(ErrorCode.IndexBuildAborted, "Index build aborted: %s", why));
        return build.specs;
    }
}
