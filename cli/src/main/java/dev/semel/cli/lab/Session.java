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

    /** Returns the report as an HTML page. */
    public String run() throws IOException, AuditException, InterruptedException {
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
        out.print(LabText.secondAct());
        out.flush();
        var killed = KilledPrimaries.measure();
        out.print(LabText.killed(killed));
        out.flush();
        return LabPage.of(all, killed);
    }
}
