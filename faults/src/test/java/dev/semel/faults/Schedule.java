package dev.semel.faults;

import dev.semel.faults.Fault.Target;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * What happens to a set, and when: all of it decided by a seed. Which member is the primary, and what its clients do at that
 * moment, is not.
 *
 * @param isDurable whether the members keep their data on disk, besides their log
 */
record Schedule(long seed, boolean isDurable, List<Step> steps) {
    private static final int STEPS_MIN = 3;
    private static final int STEPS_MAX = 6;
    private static final int PAUSE_MS_MAX = 400;
    private static final int LASTS_MS_MAX = 1_500;
    private static final int JUMP_MS_MAX = 600_000;
    private static final int DELAY_SECS_MAX = 3;

    /** What may only happen while all other members run: with one more fault, too many might have lost their memory. */
    private static final List<Function<Target, Fault>> ALONE = List.of(Fault.Remove::new, Fault.Rebuild::new);

    /**
     * What ends each schedule, until the others have elected another primary: meanwhile clients still reach this one. So writes are
     * retried with another primary, which has them or not, and what was acknowledged by one that is alone is lost.
     */
    private static final List<Function<Target, Fault>> CUT_OFF =
            List.of(Fault.Partition::new, Fault.Deaf::new, Fault.Mute::new);

    /** Longer than the election timeout of {@code MemberHandle}, and its draws. */
    private static final int ELECTED_MS = 1_800;

    /** Of the first fault of a step: those, and others. */
    private static final int KINDS = 12;

    Schedule {
        steps = List.copyOf(steps);
    }

    /** After a pause, faults begin and last for a while; at most one for each member. */
    record Step(int pauseMs, List<Fault> faults, int lastsMs) {
        Step {
            faults = List.copyOf(faults);
        }
    }

    static Schedule of(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        boolean isDurable = random.nextInt(3) == 0;
        List<Step> steps = new ArrayList<>();
        int count = random.nextInt(STEPS_MIN, STEPS_MAX + 1);
        for (int i = 0; i < count; i++) {
            steps.add(step(random));
        }
        if (random.nextInt(3) == 0) {
            // At the end, so that what a seed decided before there were delays is the same.
            steps.add(new Step(
                    random.nextInt(PAUSE_MS_MAX),
                    List.of(
                            new Fault.Delayed(Target.SECONDARY, random.nextInt(1, DELAY_SECS_MAX + 1)),
                            fault(random.nextBoolean() ? Target.PRIMARY : Target.OTHER_SECONDARY, random)),
                    LASTS_MS_MAX + random.nextInt(LASTS_MS_MAX)));
        }
        steps.add(new Step(
                random.nextInt(PAUSE_MS_MAX),
                List.of(CUT_OFF.get(random.nextInt(CUT_OFF.size())).apply(Target.PRIMARY)),
                ELECTED_MS + random.nextInt(LASTS_MS_MAX)));
        return new Schedule(seed, isDurable, steps);
    }

    private static Step step(RandomGenerator random) {
        int pauseMs = random.nextInt(PAUSE_MS_MAX);
        List<Fault> faults = new ArrayList<>();
        Target first = random.nextInt(3) == 0 ? Target.SECONDARY : Target.PRIMARY;
        int kind = random.nextInt(KINDS);
        if (kind < ALONE.size()) {
            faults.add(ALONE.get(kind).apply(first));
        } else {
            faults.add(fault(first, random));
        }
        if (kind >= ALONE.size() && random.nextInt(4) == 0) {
            faults.add(fault(Target.OTHER_SECONDARY, random));
        }
        // Short ones end before anybody has noticed.
        int lastsMs = random.nextBoolean() ? random.nextInt(LASTS_MS_MAX / 5) : random.nextInt(LASTS_MS_MAX);
        return new Step(pauseMs, faults, lastsMs);
    }

    private static Fault fault(Target target, RandomGenerator random) {
        return switch (random.nextInt(11)) {
            case 0, 1 -> new Fault.Stop(target);
            case 2 -> new Fault.Reopen(target);
            case 3, 4 -> new Fault.Partition(target);
            case 5 -> random.nextBoolean() ? new Fault.Deaf(target) : new Fault.Mute(target);
            case 6 -> new Fault.BrokenLink(target);
            case 7 -> new Fault.Pause(target);
            case 8 -> new Fault.StepDown(target);
            case 9 -> new Fault.Prefer(target);
            default -> new Fault.ClockJump(target, Duration.ofMillis(random.nextInt(-JUMP_MS_MAX, JUMP_MS_MAX)));
        };
    }
}
