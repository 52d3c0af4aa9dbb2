package dev.semel.driver.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.driver.description.ServerDescription;
import dev.semel.driver.setting.ServerAddress;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** SSP-1: of two servers that are equally near the one with less to do is preferred. Time and chance are played, so counts are exact. */
class LoadTest {
    private static final ServerAddress SLOW = new ServerAddress("slow");
    private static final ServerAddress QUICK = new ServerAddress("quick");
    private static final List<ServerDescription> BOTH =
            List.of(ServerDescription.unknown(SLOW), ServerDescription.unknown(QUICK));
    private static final int WORKERS = 10;

    private record Running(long endsAt, ServerAddress on) {}

    /** How many of the operations of ten workers go where, if one takes so long on the slow server and 1 on the other. */
    private static Map<ServerAddress, Integer> play(int operations, int slowTime, long seed) {
        var random = new Random(seed);
        var done = new HashMap<ServerAddress, Integer>();
        var busy = new HashMap<ServerAddress, Integer>();
        var running = new PriorityQueue<Running>(Comparator.comparingLong(Running::endsAt));
        long now = 0;
        for (int i = 0; i < operations; i++) {
            if (running.size() == WORKERS) {
                Running ended = running.remove();
                now = ended.endsAt();
                busy.merge(ended.on(), -1, Integer::sum);
            }
            ServerAddress chosen = ServerSelection.lessBusy(BOTH, each -> busy.getOrDefault(each, 0), random)
                    .address();
            busy.merge(chosen, 1, Integer::sum);
            done.merge(chosen, 1, Integer::sum);
            running.add(new Running(now + (chosen.equals(SLOW) ? slowTime : 1), chosen));
        }
        return done;
    }

    @Test
    void slowServerGetsLess() {
        assertThat(play(100, 500, 1)).isEqualTo(Map.of(SLOW, 5, QUICK, 95));
    }

    @Test
    void equallyQuickServersGetTheSame() {
        assertThat(play(1000, 1, 1)).isEqualTo(Map.of(SLOW, 500, QUICK, 500));
    }
}
