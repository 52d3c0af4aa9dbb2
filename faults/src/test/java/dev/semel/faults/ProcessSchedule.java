package dev.semel.faults;

import dev.semel.faults.Fault.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** What happens to a set of processes, decided by a seed as in {@link Schedule}. */
record ProcessSchedule(long seed, List<Step> steps) {
    private static final int STEPS_MIN = 2;
    private static final int STEPS_MAX = 4;
    private static final int PAUSE_MS_MAX = 2_500;

    /** Longer than an election takes, whether or not it begins with the election timeout. */
    private static final int LASTS_MS_MAX = 5_000;

    /** A member has more than this in a file soon after its start. */
    private static final int FILE_BYTES_MIN = 64 << 10;

    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final int DELAY_MS_MAX = 300;

    ProcessSchedule {
        steps = List.copyOf(steps);
    }

    /** After a pause, faults begin and last for a while; at most one for each member. */
    record Step(int pauseMs, List<ProcessFault> faults, int lastsMs) {
        Step {
            faults = List.copyOf(faults);
        }
    }

    static ProcessSchedule of(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<Step> steps = new ArrayList<>();
        int count = random.nextInt(STEPS_MIN, STEPS_MAX + 1);
        for (int i = 0; i < count; i++) {
            int pauseMs = random.nextInt(PAUSE_MS_MAX);
            List<ProcessFault> faults = faults(random);
            int lastsMs = random.nextBoolean() ? random.nextInt(LASTS_MS_MAX / 5) : random.nextInt(LASTS_MS_MAX);
            steps.add(new Step(pauseMs, faults, lastsMs));
        }
        return new ProcessSchedule(seed, steps);
    }

    int faultCount() {
        return steps.stream().mapToInt(each -> each.faults().size()).sum();
    }

    private static List<ProcessFault> faults(RandomGenerator random) {
        Target first = random.nextInt(3) == 0 ? Target.SECONDARY : Target.PRIMARY;
        return switch (random.nextInt(8)) {
            case 0 ->
                Stream.of(Target.values())
                        .<ProcessFault>map(ProcessFault.Kill::new)
                        .toList();
            case 1 -> List.of(new ProcessFault.Rebuild(first));
            default -> oneOrTwo(first, random);
        };
    }

    private static List<ProcessFault> oneOrTwo(Target first, RandomGenerator random) {
        List<ProcessFault> faults = new ArrayList<>();
        faults.add(fault(first, random));
        if (random.nextInt(4) == 0) {
            faults.add(fault(Target.OTHER_SECONDARY, random));
        }
        return faults;
    }

    private static ProcessFault fault(Target target, RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0, 1 -> new ProcessFault.Kill(target);
            case 2, 3 -> new ProcessFault.Pause(target);
            case 4 -> new ProcessFault.Terminate(target);
            case 5, 6 -> new ProcessFault.FullDisk(target, random.nextInt(FILE_BYTES_MIN, FILE_BYTES_MAX));
            default -> new ProcessFault.SlowDisk(target, random.nextInt(1, DELAY_MS_MAX));
        };
    }
}
