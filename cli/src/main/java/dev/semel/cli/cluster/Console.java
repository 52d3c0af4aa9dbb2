package dev.semel.cli.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Runs a set: prints a table of its members whenever that changes, and does what is typed. */
public final class Console {
    private static final List<String> HELP = List.of(
            "  kill N, stop N, pause N, resume N, restart N; N is the number of a member, or: primary",
            "  partition N, heal N: cuts a member off from the others, and connects it again",
            "  kill primary 5: five times, each time it is started again; restart all: one after the other",
            "  status, quit");
    private static final String END = "quit";
    private static final long LOOK_MS = 500;

    private final PrintWriter out;

    /** As they were printed last; empty if they are to be printed in any case. */
    private List<MemberTable.Row> shown = List.of();

    /** Whether the members are being stopped with the program, which is no news. */
    private volatile boolean isEnding;

    public Console(PrintWriter out) {
        this.out = out;
    }

    /** Until {@code quit}, or until the process is ended. What is in the folder stays. */
    public void run(int members, int firstPort, Path folder, BufferedReader in)
            throws IOException, InterruptedException {
        var set = new LocalSet(members, firstPort, folder);
        run(set, folder, set::close, in);
    }

    /** The same in a folder that is deleted at the end. */
    public void runInTemporaryFolder(int members, int firstPort, BufferedReader in)
            throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("semel-cluster-");
        var set = new LocalSet(members, firstPort, folder);
        run(
                set,
                folder,
                () -> {
                    set.close();
                    delete(set);
                },
                in);
    }

    private void delete(LocalSet set) {
        try {
            set.deleteFolder();
        } catch (IOException e) {
            out.println("Not deleted: " + e.getMessage());
            out.flush();
        }
    }

    private void run(LocalSet set, Path folder, Runnable stop, BufferedReader in)
            throws IOException, InterruptedException {
        Runnable end = () -> {
            isEnding = true;
            stop.run();
        };
        var shutdown = new Thread(end);
        Runtime.getRuntime().addShutdownHook(shutdown);
        try (var table = new MemberTable(set)) {
            set.requireFreePorts();
            int members = set.addresses().size();
            for (int i = 0; i < members; i++) {
                set.start(i);
            }
            out.println("URI: " + set.connectionString());
            out.println("Data and logs: " + folder.toAbsolutePath());
            help();
            var typed = new LinkedBlockingQueue<String>();
            Thread.ofPlatform().daemon().name("semel-console").start(() -> read(in, typed));
            follow(set, table, typed);
        } finally {
            finish(shutdown, end);
        }
    }

    /** If the process is being ended, this has begun already. */
    private static void finish(Thread shutdown, Runnable end) {
        try {
            Runtime.getRuntime().removeShutdownHook(shutdown);
        } catch (IllegalStateException e) {
            return;
        }
        end.run();
    }

    private static void read(BufferedReader in, BlockingQueue<String> typed) {
        try {
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                typed.add(line.strip());
            }
        } catch (IOException e) {
            typed.add(END);
        }
    }

    private void help() {
        HELP.forEach(out::println);
        out.flush();
    }

    private void follow(LocalSet set, MemberTable table, BlockingQueue<String> typed)
            throws IOException, InterruptedException {
        var partition = new Partition(set, table::client);
        var drills = new Drills(set, () -> {
            Thread.sleep(LOOK_MS);
            tellEnded(set);
            partition.tell();
            return show(table, partition);
        });
        while (true) {
            var line = typed.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (line != null && !line.isEmpty()) {
                var parsed = Typed.parse(line, set.addresses().size());
                if (parsed instanceof Typed.Quit) {
                    return;
                }
                obey(parsed, set, partition, drills);
                if (!(parsed instanceof Typed.Wrong)) {
                    shown = List.of();
                }
            }
            tellEnded(set);
            partition.tell();
            show(table, partition);
        }
    }

    /** For a reason that its log tells, as when it cannot write to its disk. */
    private void tellEnded(LocalSet set) {
        for (int i = 0; i < set.addresses().size(); i++) {
            if (set.hasEndedByItself(i) && !isEnding) {
                say("member %d has ended by itself; its log says why: %s".formatted(i + 1, set.log(i)));
            }
        }
    }

    /** Prints the members if one of them has news. */
    private List<MemberTable.Row> show(MemberTable table, Partition partition) {
        var now = table.rows();
        if (isNews(now, shown) && !isEnding) {
            table.lines(now, partition).forEach(out::println);
            out.flush();
            shown = now;
        }
        return now;
    }

    private static boolean isNews(List<MemberTable.Row> now, List<MemberTable.Row> shown) {
        return shown.isEmpty()
                || IntStream.range(0, now.size()).anyMatch(i -> now.get(i).says(shown.get(i)));
    }

    private void obey(Typed typed, LocalSet set, Partition partition, Drills drills)
            throws IOException, InterruptedException {
        switch (typed) {
            case Typed.Quit quit -> {}
            case Typed.Status status -> {}
            case Typed.RestartAll all -> report("restart all", drills.restartAll());
            case Typed.KillPrimary kill -> report("kill primary", drills.killPrimary(kill.times()));
            case Typed.ToPrimary to -> {
                int primary = Drills.primary(shown);
                if (primary < 0) {
                    say("there is no primary at the moment");
                } else {
                    obey(to.action(), primary, set, partition);
                }
            }
            case Typed.ToMember to -> obey(to.action(), to.member(), set, partition);
            case Typed.Wrong wrong -> say(wrong.why());
        }
    }

    private void report(String what, boolean isDone) {
        say(isDone ? what + ": done" : what + ": given up, because the set does not recover");
    }

    private void say(String what) {
        out.println(what);
        out.flush();
    }

    private void obey(Typed.Action action, int member, LocalSet set, Partition partition)
            throws IOException, InterruptedException {
        if (!action.isPossible(set.state(member))) {
            say("member %d %s"
                    .formatted(
                            member + 1,
                            switch (set.state(member)) {
                                case RUNNING -> "runs already";
                                case PAUSED -> "is paused: resume or kill it";
                                case STOPPED -> "does not run: restart it";
                            }));
            return;
        }
        switch (action) {
            case KILL -> set.kill(member);
            case STOP -> set.stop(member);
            case PAUSE -> set.pause(member);
            case RESUME -> set.resume(member);
            case RESTART -> set.start(member);
            case PARTITION -> partition.cutOff(member);
            case HEAL -> partition.heal(member);
        }
    }
}
