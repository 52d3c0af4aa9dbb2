package dev.semel.server.command;

import dev.semel.server.auth.Action;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** What the dispatcher must know of a command before it is parsed. */
public record Spec(String name, List<String> aliases, Set<Trait> traits, Rights rights) {

    /** The facts that differ between commands. */
    public enum Trait {
        /** Only on the {@code admin} database; elsewhere 13 Unauthorized. */
        ADMIN_ONLY,
        /** Takes {@code readConcern}. */
        READ_CONCERN,
        /** Reads as what it goes on with does, whatever {@code readConcern} it brings. */
        INHERITS_READ_CONCERN,
        /** Takes read concern {@code snapshot} outside a transaction. */
        SNAPSHOT_READ,
        /** Takes {@code writeConcern}, and its reply waits for it. */
        WRITE_CONCERN,
        /** Lists what there is: a secondary answers only where the read preference allows it, as for reads of data. */
        READS_CATALOG,
        /** Changes data: refused where the node is not writable. */
        WRITES,
        /** May run inside a session transaction. */
        IN_TRANSACTION,
        /** Commits or aborts a transaction. */
        ENDS_TRANSACTION,
        /** Concerns the server as a whole, so that a transaction of TokuMX's dialect refuses it (16786). */
        OUTSIDE_TRANSACTION,
        /** May carry a {@code txnNumber} outside a transaction. */
        RETRYABLE,
        /** Part of making a connection: allowed whatever the server demands of other commands. */
        HANDSHAKE,
        /** Its {@code maxTimeMS} is not the command's deadline: the command reads the field and decides. */
        OWN_MAX_TIME,
        /** Carries what must not be shown to others, a password for instance. */
        CONFIDENTIAL,
        /**
         * Has no effect before its reply, or before a commit of its own, so that it may be given up wherever it would have to wait
         * until then, and begun again. Usually it is short and does not wait.
         */
        RESTARTABLE,
        /** Counts itself as queries, inserts, ...; any other command is counted as a command. */
        COUNTS_ITSELF
    }

    /** A command with no trait, which only users with all privileges may run. */
    public static Spec of(String name) {
        return new Spec(name, List.of(), Set.of(), Rights.UNDECLARED);
    }

    /** A command that reads collections. */
    public static Spec read(String name) {
        return of(name).with(Trait.READ_CONCERN, Trait.IN_TRANSACTION).needs(Rights.onCollection(Action.find));
    }

    /** A command that writes documents. */
    public static Spec write(String name) {
        return of(name).with(
                        Trait.WRITES, Trait.WRITE_CONCERN, Trait.READ_CONCERN, Trait.IN_TRANSACTION, Trait.RETRYABLE);
    }

    /** A command that changes the catalog. */
    public static Spec ddl(String name) {
        return of(name).with(Trait.WRITES, Trait.WRITE_CONCERN);
    }

    public Spec alias(String... more) {
        return new Spec(name, List.of(more), traits, rights);
    }

    public Spec with(Trait... more) {
        Set<Trait> all = EnumSet.noneOf(Trait.class);
        all.addAll(traits);
        all.addAll(List.of(more));
        return new Spec(name, aliases, Set.copyOf(all), rights);
    }

    public Spec needs(Rights needed) {
        return new Spec(name, aliases, traits, needed);
    }

    /** What its callers must be allowed to do, unless the command itself knows better. */
    @Override
    public Rights rights() {
        return is(Trait.HANDSHAKE) ? Rights.ANYBODY : rights;
    }

    public boolean is(Trait trait) {
        return traits.contains(trait);
    }
}
