package dev.semel.driver.setting;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/** The write concern. The server's defaults apply to what is null. */
public record WriteConcern(
        @Nullable W w,
        @Nullable Integer wTimeoutMs,
        @Nullable Boolean journal) {
    /** The number of members, or the name of a mode. */
    public sealed interface W {
        record Members(int count) implements W {}

        record Mode(String name) implements W {}
    }

    public static final WriteConcern ACKNOWLEDGED = new WriteConcern(null, null, null);
    public static final WriteConcern UNACKNOWLEDGED = new WriteConcern(0);
    public static final WriteConcern W1 = new WriteConcern(1);
    public static final WriteConcern W2 = new WriteConcern(2);
    public static final WriteConcern W3 = new WriteConcern(3);
    public static final WriteConcern JOURNALED = ACKNOWLEDGED.withJournal(true);
    public static final WriteConcern MAJORITY = new WriteConcern("majority");

    public WriteConcern {
        if (w instanceof W.Members members && members.count() < 0) {
            throw new IllegalArgumentException("w must not be negative, found " + members.count());
        }
        if (wTimeoutMs != null && wTimeoutMs < 0) {
            throw new IllegalArgumentException("wtimeoutMS must not be negative, found " + wTimeoutMs);
        }
        if (isUnacknowledged(w) && Boolean.TRUE.equals(journal)) {
            throw new IllegalArgumentException("journal must not be true when w is 0: the write is not acknowledged");
        }
    }

    public WriteConcern(int w) {
        this(new W.Members(w), null, null);
    }

    public WriteConcern(String mode) {
        this(new W.Mode(mode), null, null);
    }

    public WriteConcern withW(int members) {
        return new WriteConcern(new W.Members(members), wTimeoutMs, journal);
    }

    public WriteConcern withW(String mode) {
        return new WriteConcern(new W.Mode(mode), wTimeoutMs, journal);
    }

    public WriteConcern withJournal(@Nullable Boolean flag) {
        return new WriteConcern(w, wTimeoutMs, flag);
    }

    public WriteConcern withWTimeout(@Nullable Duration timeout) {
        return new WriteConcern(w, timeout == null ? null : Math.toIntExact(timeout.toMillis()), journal);
    }

    public WriteConcern withWTimeout(long timeout, TimeUnit unit) {
        return withWTimeout(Duration.of(timeout, unit.toChronoUnit()));
    }

    public boolean isAcknowledged() {
        return !isUnacknowledged(w);
    }

    private static boolean isUnacknowledged(@Nullable W w) {
        return w instanceof W.Members members && members.count() == 0;
    }

    public boolean isServerDefault() {
        return w == null && wTimeoutMs == null && journal == null;
    }

    public BsonDocument asDocument() {
        var document = new BsonDocument();
        switch (w) {
            case W.Members members -> document.put("w", new BsonInt32(members.count()));
            case W.Mode mode -> document.put("w", new BsonString(mode.name()));
            case null -> {}
        }
        if (wTimeoutMs != null) {
            document.put("wtimeout", new BsonInt64(wTimeoutMs));
        }
        if (journal != null) {
            document.put("j", BsonBoolean.valueOf(journal));
        }
        return document;
    }
}
