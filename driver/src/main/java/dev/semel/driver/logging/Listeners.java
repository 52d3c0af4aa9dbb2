package dev.semel.driver.logging;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.function.Consumer;

/**
 * Listeners of the application, of whatever kind. They are called from monitors and with locks held, so what they throw goes
 * to the log and no further: it would end what they only listen to.
 */
public record Listeners<L>(List<L> all) {
    private static final System.Logger LOG = System.getLogger("dev.semel.driver.listener");

    public Listeners {
        all = List.copyOf(all);
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public void tell(Consumer<L> event) {
        for (L each : all) {
            try {
                event.accept(each);
            } catch (RuntimeException | Error e) {
                LOG.log(Level.WARNING, "A listener failed: " + each.getClass().getName(), e);
            }
        }
    }
}
