package dev.semel.cluster;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Logs why connections between members were refused, each reason once: members try again many times a second. */
final class Refusals implements Consumer<String> {
    private static final int REASONS_MAX = 100;

    private final System.Logger logger = System.getLogger("dev.semel.repl");
    private final Set<String> logged = new HashSet<>();

    @Override
    public void accept(String reason) {
        if (isNew(reason)) {
            logger.log(System.Logger.Level.WARNING, reason);
        }
    }

    private synchronized boolean isNew(String reason) {
        return logged.size() < REASONS_MAX && logged.add(reason);
    }
}
