package dev.semel.cli.lab;

import dev.semel.blackpipe.audit.AuditException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** The whole experiment, printed as it proceeds. */
public final class Session {
    private final PrintWriter out;

    public Session(PrintWriter out) {
        this.out = out;
    }

    /**
     * Returns the report as an HTML page.
     *
     * @param kills how often the primary is killed in the second act; 0 leaves that out
     */
    public String run(int kills) throws IOException, AuditException, InterruptedException {
        out.print(LabText.opening());
        out.flush();
        List<Measured> all = new ArrayList<>();
        try (var experiment = new Experiment()) {
            for (var strategy : Strategies.all()) {
                var measured = experiment.of(strategy);
                out.print(LabText.strategy(measured));
                out.flush();
                all.add(measured);
            }
        }
        out.print(LabText.closing(all));
        out.flush();
        List<Visits> killed = kills == 0 ? List.of() : secondAct(kills);
        return LabPage.of(all, killed);
    }

    private List<Visits> secondAct(int kills) throws IOException, InterruptedException {
        out.print(LabText.secondAct(kills));
        out.flush();
        var killed = KilledPrimaries.measure(kills);
        out.print(LabText.killed(killed));
        return killed;
    }
}
