package dev.semel.faults;

import dev.semel.faults.Fault.Target;
import java.io.IOException;

/** What happens to the process of a member. */
sealed interface ProcessFault {
    Target target();

    void begin(ProcessSet set, int member) throws IOException, InterruptedException;

    void end(ProcessSet set, int member) throws IOException, InterruptedException;

    /** As if its machine had failed, except that the operating system still writes what it was given. */
    record Kill(Target target) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) {
            set.kill(member);
        }

        @Override
        public void end(ProcessSet set, int member) throws IOException {
            set.start(member);
        }
    }

    /** SIGTERM; it has to end by itself. */
    record Terminate(Target target) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) throws InterruptedException {
            set.terminate(member);
        }

        @Override
        public void end(ProcessSet set, int member) throws IOException {
            set.start(member);
        }
    }

    /** It stands still with all its connections, and goes on without knowing that time has passed. */
    record Pause(Target target) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) throws IOException, InterruptedException {
            set.pause(member);
        }

        @Override
        public void end(ProcessSet set, int member) throws IOException, InterruptedException {
            set.resume(member);
        }
    }

    /** Its files cannot grow beyond a size; then there is space again. A member that cannot write ends and says why. */
    record FullDisk(Target target, int fileBytesMax) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) throws IOException, InterruptedException {
            set.limitFiles(member, Integer.toString(fileBytesMax));
        }

        @Override
        public void end(ProcessSet set, int member) throws IOException, InterruptedException {
            if (set.isRunning(member)) {
                set.limitFiles(member, "unlimited");
            }
        }
    }

    /** Each sync of a file takes longer. */
    record SlowDisk(Target target, int delayMs) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) throws IOException {
            set.delaySyncs(member, delayMs);
        }

        @Override
        public void end(ProcessSet set, int member) {
            set.endDelays(member);
        }
    }

    /** Killed, and started without data while all others run. What it had acknowledged is on another member if they have caught up. */
    record Rebuild(Target target) implements ProcessFault {
        @Override
        public void begin(ProcessSet set, int member) throws IOException {
            set.awaitCaughtUp();
            set.kill(member);
            set.deleteData(member);
        }

        @Override
        public void end(ProcessSet set, int member) throws IOException {
            set.start(member);
            set.awaitCaughtUp();
        }
    }
}
