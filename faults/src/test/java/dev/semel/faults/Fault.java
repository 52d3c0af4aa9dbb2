package dev.semel.faults;

import java.io.IOException;
import java.time.Duration;

/** What happens to a member. */
sealed interface Fault {
    /** Counted from the primary of the moment. */
    enum Target {
        PRIMARY,
        SECONDARY,
        OTHER_SECONDARY;

        int of(int primary, int size) {
            return (primary + ordinal()) % size;
        }
    }

    Target target();

    void begin(FaultySet set, int member) throws IOException;

    default void end(FaultySet set, int member) throws IOException {}

    /** An orderly end of the server, and another one on its data. */
    record Stop(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.stop(member);
        }

        @Override
        public void end(FaultySet set, int member) throws IOException {
            set.start(member);
        }
    }

    /** The server closes and opens its data within the process. */
    record Reopen(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.reopen(member);
        }
    }

    /** Nothing reaches the others or comes from them. */
    record Partition(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            for (String other : set.addresses()) {
                set.network.cut(set.address(member), other);
                set.network.cut(other, set.address(member));
            }
        }

        @Override
        public void end(FaultySet set, int member) {
            set.network.heal();
        }
    }

    /** Nothing reaches it, but it reaches the others. */
    record Deaf(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.addresses().forEach(other -> set.network.cut(other, set.address(member)));
        }

        @Override
        public void end(FaultySet set, int member) {
            set.network.heal();
        }
    }

    /** It reaches nobody, but others reach it. */
    record Mute(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.addresses().forEach(other -> set.network.cut(set.address(member), other));
        }

        @Override
        public void end(FaultySet set, int member) {
            set.network.heal();
        }
    }

    /** One link is broken: the member and the one behind it do not hear each other, the third hears both. */
    record BrokenLink(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            String other = set.address((member + 1) % set.size());
            set.network.cut(set.address(member), other);
            set.network.cut(other, set.address(member));
        }

        @Override
        public void end(FaultySet set, int member) {
            set.network.heal();
        }
    }

    /** What it sends and is sent arrives afterwards. Its clients still reach it. */
    record Pause(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            for (String other : set.addresses()) {
                set.network.hold(set.address(member), other);
                set.network.hold(other, set.address(member));
            }
        }

        @Override
        public void end(FaultySet set, int member) {
            set.network.heal();
        }
    }

    /** It hands over to another member, or leaves the set without a primary for a moment. Nothing happens on a secondary. */
    record StepDown(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.office.stepDown(member);
        }
    }

    /** The configuration gives it the highest priority. */
    record Prefer(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.office.prefer(set.primary(), member);
        }
    }

    /** The configuration is without it, and then it is added again. */
    record Remove(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.office.remove(set.primary(), member);
        }

        @Override
        public void end(FaultySet set, int member) {
            set.add(member);
        }
    }

    /** It loses its data while all others have it, and gets it from them. */
    record Rebuild(Target target) implements Fault {
        @Override
        public void begin(FaultySet set, int member) throws IOException {
            set.awaitCaughtUp();
            set.rebuild(member);
        }

        @Override
        public void end(FaultySet set, int member) {
            set.awaitCaughtUp();
        }
    }

    /** It applies commits some seconds later than the others, and then at once again. */
    record Delayed(Target target, int secs) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.office.delay(set.primary(), member, secs);
        }

        @Override
        public void end(FaultySet set, int member) {
            set.endDelay(member);
        }
    }

    /** Its clock is set forward, or back. */
    record ClockJump(Target target, Duration by) implements Fault {
        @Override
        public void begin(FaultySet set, int member) {
            set.clock(member).move(by);
        }

        @Override
        public void end(FaultySet set, int member) {
            set.clock(member).move(by.negated());
        }
    }
}
