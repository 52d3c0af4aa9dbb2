package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.auth.Privilege;
import dev.semel.server.statement.Write;
import dev.semel.wire.Namespace;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What statements that write need. */
final class WriteRights {
    private WriteRights() {}

    static List<Privilege> of(List<? extends Write> writes) {
        Map<Namespace, Set<Action>> needed = new LinkedHashMap<>();
        for (Write write : writes) {
            add(write, needed.computeIfAbsent(write.collection(), fresh -> EnumSet.noneOf(Action.class)));
        }
        return needed.entrySet().stream()
                .map(each ->
                        Privilege.onCollection(each.getKey(), each.getValue().toArray(new Action[0])))
                .toList();
    }

    private static void add(Write write, Set<Action> to) {
        switch (write) {
            case Write.Insert insert -> {
                to.add(Action.insert);
                bypass(insert.bypass().validation(), to);
            }
            case Write.Update update -> {
                to.add(Action.update);
                if (update.upsert()) {
                    to.add(Action.insert);
                }
                bypass(update.bypass().validation(), to);
            }
            case Write.Delete delete -> to.add(Action.remove);
        }
    }

    private static void bypass(boolean bypasses, Set<Action> to) {
        if (bypasses) {
            to.add(Action.bypassDocumentValidation);
        }
    }
}
