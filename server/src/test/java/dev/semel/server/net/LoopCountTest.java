package dev.semel.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.net.LoopCount.Change;
import org.junit.jupiter.api.Test;

class LoopCountTest {
    private static final boolean IDLE = true;
    private static final boolean FULL = false;

    /** A window in which each loop is at work so many times. */
    private static Change window(LoopCount count, boolean isOneIdle, int... atWork) {
        for (int look = 1; look < LoopCount.LOOKS; look++) {
            see(count, look, atWork);
            assertThat(count.next(() -> isOneIdle)).isEqualTo(new Change.Nothing());
        }
        see(count, LoopCount.LOOKS, atWork);
        return count.next(() -> isOneIdle);
    }

    private static void see(LoopCount count, int look, int... atWork) {
        for (int i = 0; i < atWork.length; i++) {
            if (look <= atWork[i]) {
                count.saw(i);
            }
        }
    }

    /** As many windows of the same kind as it takes. */
    private static Change windows(LoopCount count, boolean isOneIdle, int... atWork) {
        for (int i = 1; i < LoopCount.IN_ROW; i++) {
            assertThat(window(count, isOneIdle, atWork)).isEqualTo(new Change.Nothing());
        }
        return window(count, isOneIdle, atWork);
    }

    @Test
    void oneLoopStaysAsLongAsItHasTime() {
        var count = new LoopCount(4);
        assertThat(windows(count, IDLE, 44)).isEqualTo(new Change.Nothing());
        assertThat(windows(count, IDLE, 45)).isEqualTo(new Change.Share(0, 1));
        assertThat(count.count()).isEqualTo(2);
    }

    @Test
    void moreThanHalfAsManyAsProcessorsNeedAnIdleOne() {
        var count = new LoopCount(4);
        assertThat(windows(count, FULL, 50)).isEqualTo(new Change.Share(0, 1));
        assertThat(windows(count, FULL, 50, 50)).isEqualTo(new Change.Nothing());
        assertThat(windows(count, IDLE, 50, 50)).isEqualTo(new Change.Share(0, 2));
        assertThat(windows(count, IDLE, 50, 50, 50)).isEqualTo(new Change.Share(0, 3));
        assertThat(windows(count, IDLE, 50, 50, 50, 50)).isEqualTo(new Change.Nothing());
        assertThat(count.count()).isEqualTo(4);
    }

    @Test
    void onlyProcessorsThatAreIdleGiveTheSecondOfTwoLoops() {
        var count = new LoopCount(2);
        assertThat(windows(count, FULL, 50)).isEqualTo(new Change.Nothing());
        assertThat(windows(count, IDLE, 50)).isEqualTo(new Change.Share(0, 1));
    }

    @Test
    void fullLoopSharesWithOneThatHasTime() {
        var count = new LoopCount(4);
        assertThat(windows(count, IDLE, 50)).isEqualTo(new Change.Share(0, 1));
        assertThat(window(count, IDLE, 24, 50)).isEqualTo(new Change.Share(1, 0));
        assertThat(windows(count, IDLE, 25, 50)).isEqualTo(new Change.Share(1, 2));
    }

    @Test
    void lastLoopGoesWhenTheOthersHaveHadTimeForALongWhile() {
        var count = new LoopCount(4);
        assertThat(windows(count, IDLE, 50)).isEqualTo(new Change.Share(0, 1));
        for (int i = 1; i < LoopCount.IN_ROW; i++) {
            assertThat(window(count, IDLE, 10, 19)).isEqualTo(new Change.Nothing());
        }
        assertThat(window(count, IDLE, 10, 20)).isEqualTo(new Change.Nothing());
        for (int i = 1; i < LoopCount.IN_ROW; i++) {
            assertThat(window(count, IDLE, 10, 19)).isEqualTo(new Change.Nothing());
        }
        assertThat(window(count, IDLE, 10, 19)).isEqualTo(new Change.Merge(1, 0));
        assertThat(count.count()).isEqualTo(1);
    }

    @Test
    void newConnectionsGoWhereLeastWasToDo() {
        var count = new LoopCount(4);
        assertThat(windows(count, IDLE, 50)).isEqualTo(new Change.Share(0, 1));
        assertThat(window(count, IDLE, 30, 20)).isEqualTo(new Change.Nothing());
        assertThat(count.leastBusy()).isEqualTo(1);
        assertThat(window(count, IDLE, 20, 30)).isEqualTo(new Change.Nothing());
        assertThat(count.leastBusy()).isZero();
    }

    @Test
    void restsWhenNobodyWasAtWork() {
        var count = new LoopCount(4);
        assertThat(window(count, IDLE, 1)).isEqualTo(new Change.Nothing());
        assertThat(window(count, IDLE, 0)).isEqualTo(new Change.Rest());
    }
}
