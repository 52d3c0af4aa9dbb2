package dev.semel.server.replica;

import dev.semel.store.lock.Interruption;
import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** What administrators ask of a replica set, through one of its members. */
public interface SetAdministration {
    /** A longer period than a century is as good as that, and can be added to a time. */
    long PERIOD_SECS_MAX = TimeUnit.DAYS.toSeconds(36_500);

    /**
     * How a primary steps down.
     *
     * @param period for which it does not become primary again
     * @param catchUp how long it waits for another member that can become primary
     * @param isForced whether it steps down even if there is none
     */
    record StepDown(Duration period, Duration catchUp, boolean isForced) {}

    /** Makes this server a set with these members; an empty document: of itself alone. */
    void initiate(RawDocument config, Interruption interruption);

    void reconfigure(RawDocument config, boolean isForced, Interruption interruption);

    void stepDown(StepDown how, Interruption interruption);

    /** Asks to be elected now. */
    void stepUp(Interruption interruption);

    /** Does not become primary for this time; zero ends that. */
    void freeze(Duration period);

    /** Whether clients can read here. */
    void maintenance(boolean isOn);

    /** Of a server that belongs to no set. */
    SetAdministration NONE = new SetAdministration() {
        @Override
        public void initiate(RawDocument config, Interruption interruption) {
            throw notReplicated();
        }

        @Override
        public void reconfigure(RawDocument config, boolean isForced, Interruption interruption) {
            throw notReplicated();
        }

        @Override
        public void stepDown(StepDown how, Interruption interruption) {
            throw notReplicated();
        }

        @Override
        public void stepUp(Interruption interruption) {
            throw notReplicated();
        }

        @Override
        public void freeze(Duration period) {
            throw notReplicated();
        }

        @Override
        public void maintenance(boolean isOn) {
            throw notReplicated();
        }
    };

    /** The error for commands of replica sets on a standalone server. */
    static CommandException notReplicated() {
        return new CommandException(ErrorCode.NoReplicationEnabled, "not running with --replSet");
    }
}
