package dev.semel.server.replica;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.RawDocument;

/** From what a client asks for to the next configuration, with MongoDB's errors. */
public final class Reconfiguration {
    private Reconfiguration() {}

    /** What cannot be read is 93 InvalidReplicaSetConfig. */
    public static SetConfig parse(RawDocument document, SetSettings usual) {
        try {
            return SetConfig.parse(document, usual);
        } catch (CommandException e) {
            throw new CommandException(ErrorCode.InvalidReplicaSetConfig, e.text());
        }
    }

    /** What contradicts itself fails with this code. */
    public static void check(SetConfig config, ErrorCode code) {
        try {
            config.check();
        } catch (CommandException e) {
            throw new CommandException(code, e.text());
        }
    }

    /** Drivers refuse a primary whose version is lower than one that they have seen. */
    private static int later(SetConfig now) {
        if (now.version() == Integer.MAX_VALUE) {
            throw new CommandException(
                    ErrorCode.NewReplicaSetConfigurationIncompatible,
                    "The replica set configuration of %s has the highest version there is, %d",
                    now.name(),
                    now.version());
        }
        return now.version() + 1;
    }

    /**
     * The configuration that replaces the present one.
     *
     * @param isForced whether its version may be any, and several voters may change
     */
    public static SetConfig next(RawDocument document, SetConfig now, long term, boolean isForced) {
        SetConfig asked = parse(document, now.settings());
        check(asked, ErrorCode.NewReplicaSetConfigurationIncompatible);
        SetConfig next = asked.with(isForced ? Math.max(asked.version(), later(now)) : asked.version(), term);
        (isForced ? next.otherSet(now) : next.incompatibility(now)).ifPresent(why -> {
            throw new CommandException(ErrorCode.NewReplicaSetConfigurationIncompatible, why);
        });
        return next;
    }
}
