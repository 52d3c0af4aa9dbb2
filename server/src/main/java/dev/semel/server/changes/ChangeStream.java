package dev.semel.server.changes;

import dev.semel.query.pipeline.Pipeline;
import dev.semel.query.pipeline.Source;
import dev.semel.server.changes.Operations.Operation;
import dev.semel.server.command.Call;
import dev.semel.server.cursor.CurrentCall;
import dev.semel.server.cursor.Tail;
import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Shell;
import dev.semel.wire.bson.Value;
import dev.semel.wire.spill.SpillSpace;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The events of one stream, after what its pipeline makes of them. */
final class ChangeStream implements Tail {
    /** Errors after which a driver opens the stream again, from its last token. */
    private static final Set<Integer> RESUMABLE =
            Set.of(6, 7, 43, 63, 89, 91, 133, 150, 189, 234, 262, 9001, 10107, 11600, 11602, 13388, 13435, 13436);

    private static final Interruption NONE = Interruption.unlimited();

    private final Operations operations;
    private final ChangeEvents events;
    private final @Nullable SpillSpace files;
    private final CurrentCall current;
    private final Source results;

    /** Behind which the first event comes. */
    private final ResumeToken start;

    /** An event, or a part of one, that must be found before anything is shown; null once it has been. */
    private @Nullable ResumeToken sought;

    private Interruption interruption = NONE;
    private boolean hasLooked;
    private boolean isOver;

    /** Made by the change just read, and due before the next one is. */
    private ChangeEvents.@Nullable Made due;

    private ResumeToken lastToken;
    private final Fragments fragments = new Fragments();

    /**
     * A new one.
     *
     * @param files for the parts of large events; null if these are not split
     */
    ChangeStream(
            Operations operations,
            ChangeEvents events,
            ResumeToken start,
            Pipeline pipeline,
            @Nullable SpillSpace files,
            CurrentCall current) {
        this.operations = operations;
        this.events = events;
        this.start = start;
        this.sought = start.isEvent() ? start : null;
        this.lastToken = start;
        this.files = files;
        this.current = current;
        this.results = pipeline.open(
                new Source() {
                    @Override
                    public @Nullable RawDocument next() {
                        return nextEvent();
                    }

                    @Override
                    public void close() {
                        operations.close();
                    }
                },
                false);
    }

    @Override
    public void resume(Call call) {
        current.set(call);
        interruption = call.interruption();
    }

    @Override
    public @Nullable RawDocument next() {
        RawDocument fragment = fragments.poll();
        if (fragment != null) {
            return fragment;
        }
        hasLooked = true;
        while (true) {
            RawDocument event = results.next();
            if (event == null) {
                return null;
            }
            Value found = event.get("_id");
            Value token = new Value.Doc(lastToken.toDocument());
            if (!token.equals(found)) {
                throw new CommandException(
                        ErrorCode.ChangeStreamFatalError,
                        "Encountered an event whose _id field, which contains the resume token, was modified by"
                                + " the pipeline. Modifying the _id field of an event makes it impossible to"
                                + " resume the stream from that point. Only transformations that retain the"
                                + " unmodified _id field are allowed. Expected: %s but found: %s",
                        onlyId(token),
                        onlyId(found));
            }
            RawDocument shown = fitting(event);
            if (shown != null) {
                return shown;
            }
        }
    }

    private static String onlyId(@Nullable Value id) {
        BsonWriter out = new BsonWriter();
        if (id != null) {
            out.put("_id", id);
        }
        return Shell.text(out.finish());
    }

    /** The event or its first part; null if the client has had all of its parts. */
    private @Nullable RawDocument fitting(RawDocument event) {
        ResumeToken part = sought;
        boolean fits = event.length() <= Fragments.EVENT_BYTES_MAX;
        if (part != null && part.fragment() > 0 && fits) {
            throw notFound(part);
        }
        if (fits) {
            return event;
        }
        SpillSpace space = files;
        if (space == null) {
            throw new CommandException(
                    ErrorCode.BSONObjectTooLarge,
                    "BSONObj size: %d (0x%X) is invalid. Size must be between 0 and %d(16MB)",
                    event.length(),
                    event.length(),
                    Fragments.EVENT_BYTES_MAX);
        }
        fragments.add(event, lastToken, space);
        if (part != null && part.fragment() > 0) {
            if (part.fragment() > fragments.size()) {
                throw notFound(part);
            }
            for (int i = 0; i < part.fragment(); i++) {
                fragments.skip();
            }
            sought = null;
        }
        return fragments.poll();
    }

    // ---- events before the pipeline

    private @Nullable RawDocument nextEvent() {
        ChangeEvents.Made waiting = due;
        if (waiting != null) {
            due = null;
            return shown(waiting);
        }
        while (!isOver) {
            interruption.check();
            Operation operation = operations.next();
            if (operation == null) {
                return null;
            }
            ChangeEvents.Made made = made(operation);
            if (made != null) {
                return shown(made);
            }
        }
        return null;
    }

    private RawDocument shown(ChangeEvents.Made made) {
        lastToken = made.token();
        isOver = made.isLast() && made.token().kind() == ResumeToken.Kind.INVALIDATION;
        return made.event();
    }

    /** The events of a change: none if the client has had them or they are not the stream's. */
    private ChangeEvents.@Nullable Made made(Operation operation) {
        ResumeToken wanted = sought;
        if (wanted == null) {
            ChangeEvents.Made made = events.of(operation, operations, interruption);
            if (made != null && made.isLast()) {
                due = ending(operation);
            }
            return made;
        }
        if (operation.time() != wanted.time() || operation.position() > wanted.position()) {
            throw notFound(wanted);
        }
        if (operation.position() < wanted.position()) {
            return null;
        }
        if (wanted.fragment() > 0) {
            // Its later parts are still to come, so it is made again.
            return events.of(operation, operations, interruption);
        }
        sought = null;
        ChangeEvents.Made made = events.of(operation, operations, interruption);
        return made != null && made.isLast() && wanted.kind() == ResumeToken.Kind.EVENT ? ending(operation) : null;
    }

    private static ChangeEvents.Made ending(Operation operation) {
        return new ChangeEvents.Made(
                CatalogEvents.invalidationToken(operation), CatalogEvents.invalidation(operation), true);
    }

    private static CommandException notFound(ResumeToken token) {
        return new CommandException(
                ErrorCode.ChangeStreamFatalError,
                "cannot resume stream; the resume token was not found. %s",
                token.toDocument());
    }

    // ---- as a result without end

    @Override
    public boolean await(Duration atMost) {
        return operations.await(interruption, atMost);
    }

    @Override
    public boolean waits() {
        return true;
    }

    @Override
    public boolean isOver() {
        return isOver && fragments.size() == 0;
    }

    @Override
    public @Nullable RawDocument resumeToken(@Nullable RawDocument last) {
        if (last != null) {
            return last.get("_id") instanceof Value.Doc(RawDocument token) ? token : null;
        }
        return sought != null || !hasLooked
                ? start.toDocument()
                : ResumeToken.behind(operations.time()).toDocument();
    }

    @Override
    public CommandException told(CommandException failure) {
        return RESUMABLE.contains(failure.code().number()) ? failure.withLabel("ResumableChangeStreamError") : failure;
    }

    @Override
    public void pause() {
        operations.pause();
    }

    @Override
    public void close() {
        fragments.close();
        results.close();
    }
}
