package dev.semel.server.command;

import dev.semel.wire.CommandException;
import dev.semel.wire.ErrorCode;
import dev.semel.wire.bson.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The commands by name and alias, and how often each was run. */
public final class CommandTable {
    private final Map<Text, Entry> byName = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private final Set<String> notSupported;
    private final Set<String> search;

    /** One command with its counts. */
    public static final class Entry {
        private final Command<?> command;
        private final Spec spec;
        private final LongAdder total = new LongAdder();
        private final LongAdder failed = new LongAdder();

        Entry(Command<?> command) {
            this.command = command;
            this.spec = command.spec();
        }

        Command<?> command() {
            return command;
        }

        public Spec spec() {
            return spec;
        }

        void count(boolean success) {
            total.increment();
            if (!success) {
                failed.increment();
            }
        }

        public long total() {
            return total.sum();
        }

        public long failed() {
            return failed.sum();
        }
    }

    /**
     * @param notSupported names of MongoDB's and TokuMX's commands that are known but not to be had
     * @param search names of the commands for search indexes, which belong to a separate product
     */
    public CommandTable(List<? extends Command<?>> commands, Set<String> notSupported, Set<String> search) {
        this.notSupported = notSupported;
        this.search = search;
        for (Command<?> command : commands) {
            Entry entry = new Entry(command);
            entries.add(entry);
            enter(entry.spec.name(), entry);
            entry.spec.aliases().forEach(alias -> enter(alias, entry));
        }
        entries.sort(Comparator.comparing(entry -> entry.spec.name()));
    }

    private void enter(String name, Entry entry) {
        if (byName.put(Text.of(name), entry) != null) {
            throw new IllegalArgumentException("two commands are called " + name);
        }
    }

    /** In the order of their names. */
    public List<Entry> entries() {
        return List.copyOf(entries);
    }

    /** The command of this name, if it may be given up and begun again; null otherwise. */
    @Nullable
    Spec restartable(Text name) {
        Entry entry = byName.get(name);
        return entry != null && entry.spec.is(Spec.Trait.RESTARTABLE) ? entry.spec : null;
    }

    /** The command of this name; who does not exist is 59, who exists elsewhere 115. */
    Entry find(Text name) {
        Entry entry = byName.get(name);
        if (entry == null) {
            throw missing(name.toString());
        }
        return entry;
    }

    private CommandException missing(String name) {
        if (search.contains(name)) {
            return new CommandException(
                    ErrorCode.SearchNotEnabled,
                    "command '%s' needs search indexes, which are a service of MongoDB Atlas",
                    name);
        }
        if (notSupported.contains(name)) {
            return new CommandException(ErrorCode.CommandNotSupported, "command '%s' is not supported", name);
        }
        return new CommandException(ErrorCode.CommandNotFound, "no such command: '%s'", name);
    }
}
