package dev.semel.cli.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Runs a set: prints a table of its members whenever that changes, and does what is typed. */
public final class Console {
    private static final String HELP = "  kill N, stop N, pause N, resume N, restart N (N is a member), status, quit";
    private static final String END = "quit";

    private final PrintWriter out;

    public Console(PrintWriter out) {
        this.out = out;
    }

    /** Until {@code quit}, or until the input ends and the process with it. */
    public void run(int members, int firstPort, Path folder, BufferedReader in)
            throws IOException, InterruptedException {
        try (var set = new LocalSet(members, firstPort, folder);
                var table = new MemberTable(set)) {
            var shutdown = new Thread(set::close);
            Runtime.getRuntime().addShutdownHook(shutdown);
            for (int i = 0; i < members; i++) {
                set.start(i);
            }
            out.println("URI: " + set.connectionString());
            out.println("Data and logs: " + folder.toAbsolutePath());
            out.println(HELP);
            var typed = new LinkedBlockingQueue<String>();
            Thread.ofPlatform().daemon().name("semel-console").start(() -> read(in, typed));
            follow(set, table, typed);
            Runtime.getRuntime().removeShutdownHook(shutdown);
        }
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

    private void follow(LocalSet set, MemberTable table, BlockingQueue<String> typed)
            throws IOException, InterruptedException {
        List<MemberTable.Row> shown = List.of();
        while (true) {
            var line = typed.poll(500, TimeUnit.MILLISECONDS);
            if (line != null) {
                if (line.equals(END)) {
                    return;
                }
                if (!line.isEmpty()) {
                    obey(line, set);
                    shown = List.of();
                }
            }
            var now = table.rows();
            if (isNews(now, shown)) {
                table.lines(now).forEach(out::println);
                out.flush();
                shown = now;
            }
        }
    }

    private static boolean isNews(List<MemberTable.Row> now, List<MemberTable.Row> shown) {
        return shown.isEmpty()
                || IntStream.range(0, now.size()).anyMatch(i -> now.get(i).says(shown.get(i)));
    }

    private void obey(String line, LocalSet set) throws IOException, InterruptedException {
        var words = line.split(" +", -1);
        if (words[0].equals("status")) {
            return;
        }
        int member = words.length == 2 && words[1].matches("[1-9]") ? Integer.parseInt(words[1]) - 1 : -1;
        if (member < 0 || member >= set.addresses().size()) {
            out.println(HELP);
            return;
        }
        switch (words[0]) {
            case "kill" -> set.kill(member);
            case "stop" -> set.stop(member);
            case "pause" -> set.signal(member, "STOP");
            case "resume" -> set.signal(member, "CONT");
            case "restart" -> set.start(member);
            default -> out.println(HELP);
        }
    }
}
