package dev.semel.cli.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** What happens to a set more often than once: each step waits until the set has recovered from the one before. */
final class Drills {
    /** A member that is started is a process with a new JVM, on a machine that may have much to do. */
    private static final Duration RECOVERY_ATMOST = Duration.ofSeconds(90);

    /** Between two faults clients shall do some work. */
    private static final Duration CALM = Duration.ofSeconds(1);

    private final LocalSet set;
    private final Table table;

    /** Where members are seen. */
    interface Table {
        /** The members as they are after a moment. */
        List<MemberTable.Row> next() throws InterruptedException;
    }

    Drills(LocalSet set, Table table) {
        this.set = set;
        this.table = table;
    }

    /** The primary is killed and started again, so many times. False if the set does not recover. */
    boolean killPrimary(int times) throws IOException, InterruptedException {
        for (int i = 0; i < times; i++) {
            if (!isCalm()) {
                return false;
            }
            int primary = primary(table.next());
            if (primary < 0) {
                return false;
            }
            set.kill(primary);
            if (!await(rows -> primary(rows) >= 0)) {
                return false;
            }
            set.start(primary);
        }
        return isCalm();
    }

    /** Each member is stopped in order and started again. False if the set does not recover. */
    boolean restartAll() throws IOException, InterruptedException {
        for (int i = 0; i < set.addresses().size(); i++) {
            if (!isCalm()) {
                return false;
            }
            set.stop(i);
            set.start(i);
        }
        return isCalm();
    }

    private boolean isCalm() throws InterruptedException {
        if (!await(Drills::areComplete)) {
            return false;
        }
        Thread.sleep(CALM);
        return true;
    }

    private interface Condition {
        boolean holds(List<MemberTable.Row> rows);
    }

    private boolean await(Condition condition) throws InterruptedException {
        long end = System.nanoTime() + RECOVERY_ATMOST.toNanos();
        while (System.nanoTime() - end < 0) {
            if (condition.holds(table.next())) {
                return true;
            }
        }
        return false;
    }

    private static boolean areComplete(List<MemberTable.Row> rows) {
        return primary(rows) >= 0 && rows.stream().allMatch(each -> each.isPrimary() || each.isSecondary());
    }

    /** From 0; -1 if there is none. */
    static int primary(List<MemberTable.Row> rows) {
        int found = -1;
        for (int i = 0; i < rows.size(); i++) {
            // One that is paused or cut off may take itself for it still.
            if (rows.get(i).isPrimary()
                    && (found < 0 || rows.get(i).term() > rows.get(found).term())) {
                found = i;
            }
        }
        return found;
    }
}
