package dev.semel.server.cursor;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.memory.MemoryPart;
import dev.semel.wire.memory.Reservation;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all cursors, by the connection that opened them. If there is none left, idle cursors of connections that have
 * more than the asking one make room, so that one client cannot keep all others from opening cursors.
 */
final class CursorMemory {
    /** A cursor without large documents and without a large command. */
    static final long SMALL_BYTES = 16 << 10;

    private final MemoryPart part;
    private final LongSupplier nanoTime;
    private final Predicate<Cursor> reclaim;
    private final ConcurrentHashMap<Long, Share> shares = new ConcurrentHashMap<>();

    /** The function ends an idle cursor; it returns false if it is in use. */
    CursorMemory(MemoryPart part, LongSupplier nanoTime, Predicate<Cursor> reclaim) {
        this.part = part;
        this.nanoTime = nanoTime;
        this.reclaim = reclaim;
    }

    Held open(long connectionId) {
        return new Held(connectionId);
    }

    /** What the cursors of one connection take. */
    private static final class Share {
        private final AtomicLong bytes = new AtomicLong();
        private final Set<Cursor> cursors = ConcurrentHashMap.newKeySet();
    }

    /** Ends the cursor that has been idle for longest, of the connection that has most; false if there is none. */
    private boolean makeRoom(long connectionId, long wanted) {
        Share asking = shares.get(connectionId);
        long has = asking == null ? 0 : asking.bytes.get();
        // Everybody can have one small cursor.
        long enough = has == 0 && wanted <= SMALL_BYTES ? 0 : has + wanted;
        long now = nanoTime.getAsLong();
        return shares.values().stream()
                .filter(each -> each != asking)
                .map(each -> new Sized(each, each.bytes.get()))
                .filter(each -> each.bytes > enough)
                .flatMap(each -> each.share.cursors.stream()
                        .map(cursor -> new Candidate(cursor, each.bytes, cursor.idleNanos(now))))
                .filter(each -> each.idleNanos > 0)
                .sorted(Comparator.comparingLong(Candidate::shareBytes)
                        .thenComparingLong(Candidate::idleNanos)
                        .reversed())
                .anyMatch(each -> reclaim.test(each.cursor));
    }

    private record Sized(Share share, long bytes) {}

    private record Candidate(Cursor cursor, long shareBytes, long idleNanos) {}

    /** What one cursor keeps. Belongs to the thread that uses or closes the cursor. */
    final class Held implements AutoCloseable {
        private final long connectionId;
        private final Reservation reservation = part.open();
        private @Nullable Cursor cursor;

        private Held(long connectionId) {
            this.connectionId = connectionId;
        }

        /** Before {@link #keep}; refuses what does not fit. */
        void grow(long bytes) {
            if (reservation.bytes() > 0) {
                // It has a large document, which may be what fills the part.
                reservation.take(bytes);
                return;
            }
            boolean hasRoom = reservation.growIfFree(bytes);
            while (!hasRoom && makeRoom(connectionId, bytes)) {
                hasRoom = reservation.growIfFree(bytes);
            }
            // What is larger than the whole part is there already, so it has to do that the part is not full.
            if (!hasRoom
                    && !(bytes > part.bytesMax() ? reservation.takeIfNotFull(bytes) : reservation.tryGrow(bytes))) {
                throw refusal("Another open cursor of " + bytes + " bytes");
            }
        }

        /** Of a document that has another place: false, and nothing has changed, if there is no room. */
        boolean tryTake(long bytes) {
            boolean hasRoom = reservation.growIfFree(bytes);
            if (hasRoom) {
                count(bytes);
            }
            return hasRoom;
        }

        /** Of what is there already and may be larger than the part: others find that full afterwards. */
        void take(long bytes, String what) {
            while (!reservation.takeIfNotFull(bytes)) {
                if (!makeRoom(connectionId, Math.min(bytes, SMALL_BYTES))) {
                    throw refusal("%s of %d bytes".formatted(what, bytes));
                }
            }
            count(bytes);
        }

        void shrink(long bytes) {
            reservation.shrink(bytes);
            count(-bytes);
        }

        private void count(long bytes) {
            if (cursor != null) {
                shares.computeIfPresent(connectionId, (id, share) -> {
                    share.bytes.addAndGet(bytes);
                    return share;
                });
            }
        }

        private CommandException refusal(String what) {
            return part.refusal(ErrorCode.ExceededMemoryLimit, what);
        }

        /** The cursor stays open after its first batch, and can be ended to make room for others. */
        void keep(Cursor kept) {
            cursor = kept;
            shares.compute(connectionId, (id, known) -> {
                Share share = known == null ? new Share() : known;
                share.cursors.add(kept);
                share.bytes.addAndGet(reservation.bytes());
                return share;
            });
        }

        @Override
        public void close() {
            Cursor kept = cursor;
            if (kept != null) {
                cursor = null;
                shares.computeIfPresent(connectionId, (id, share) -> {
                    share.cursors.remove(kept);
                    share.bytes.addAndGet(-reservation.bytes());
                    return share.cursors.isEmpty() ? null : share;
                });
            }
            reservation.close();
        }
    }
}
