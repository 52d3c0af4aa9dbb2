package dev.semel.store.lock;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What those are told who do not get a lock: it depends on what they are, and on what is in their way. */
final class Refusals {
    /** How many of those in the way are named; thousands may be. */
    private static final int BLOCKERS_NAMED_MAX = 100;

    private final int wholes;
    private final int names;

    /**
     * @param wholes the space whose keys stand for whole collections
     * @param names the space of the names of collections
     */
    Refusals(int wholes, int names) {
        this.wholes = wholes;
        this.names = names;
    }

    CommandException timeout(LockRequest request) {
        List<LockOwner> owners = blockers(request);
        List<Long> blockers = ids(owners);
        boolean isForSession = owners.stream().noneMatch(each -> each.is(LockPolicy.Kind.TOKUMX_TRANSACTION));
        return switch (request.owner.policy().kind()) {
            case STATEMENT -> isForSession ? lockTimeout(request, blockers) : notGranted(blockers);
            case TOKUMX_TRANSACTION -> notGranted(blockers);
            case SESSION_TRANSACTION -> lockTimeout(request, blockers).withLabel("TransientTransactionError");
            case CATALOG_CHANGE -> lockTimeout(request, blockers);
        };
    }

    private static CommandException notGranted(List<Long> blockers) {
        return new CommandException(
                ErrorCode.location(16759),
                "Lock not granted within the lock timeout, held or asked for earlier by transactions %s. Try again",
                blockers);
    }

    private CommandException lockTimeout(LockRequest request, List<Long> blockers) {
        boolean isOfCollection = request.space.number == wholes || request.space.number == names;
        return new CommandException(
                ErrorCode.LockTimeout,
                "Unable to acquire a %s lock within the lock timeout, held by transactions %s",
                isOfCollection ? "collection" : "document",
                blockers);
    }

    static RuntimeException deadlock(LockRequest request) {
        String message = "Deadlock found while waiting for a lock. Try again";
        return switch (request.owner.policy().kind()) {
            case STATEMENT -> new DeadlockVictim(message);
            case TOKUMX_TRANSACTION -> new CommandException(ErrorCode.location(16760), message);
            case SESSION_TRANSACTION -> writeConflict();
            case CATALOG_CHANGE -> new CommandException(ErrorCode.LockTimeout, message);
        };
    }

    static CommandException writeConflict() {
        return new CommandException(
                        ErrorCode.WriteConflict,
                        "Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry"
                                + " your operation or multi-document transaction.")
                .withLabel("TransientTransactionError");
    }

    static List<LockOwner> blockers(LockRequest request) {
        Set<LockOwner> blockers = new LinkedHashSet<>();
        request.space.mutex.lock();
        try {
            request.space.anyBlocker(request, each -> blockers.add(each) && blockers.size() >= BLOCKERS_NAMED_MAX);
        } finally {
            request.space.mutex.unlock();
        }
        return List.copyOf(blockers);
    }

    static List<Long> ids(List<LockOwner> owners) {
        return owners.stream().map(LockOwner::id).toList();
    }
}
