package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CatchingUpTest {
    private final CatchingUp catchingUp = new CatchingUp();
    private final AtomicLong sent = new AtomicLong();

    private void begin(long checkpoint) {
        catchingUp.began(this, checkpoint, sent::get);
    }

    @Test
    void whatFollowsTheCheckpointIsNeededUntilTheMemberHasIt() {
        assertThat(catchingUp.neededAbove()).isEqualTo(CatchingUp.NOBODY);
        begin(10);
        catchingUp.keptAbove(10, 30);
        assertThat(catchingUp.neededAbove()).isEqualTo(10);
        sent.set(20);
        catchingUp.keptAbove(10, 30);
        assertThat(catchingUp.neededAbove()).isEqualTo(20);
        sent.set(30);
        catchingUp.keptAbove(20, 30);
        assertThat(catchingUp.neededAbove()).isEqualTo(CatchingUp.NOBODY);
    }

    @Test
    void whoNeedsMostDecides() {
        begin(10);
        catchingUp.began("another", 5, () -> 0);
        assertThat(catchingUp.neededAbove()).isEqualTo(5);
        catchingUp.ended("another");
        assertThat(catchingUp.neededAbove()).isEqualTo(10);
    }

    /** It will get another checkpoint. */
    @Test
    void nothingIsKeptForAMemberWhoseNeedCannotBeMetAnyMore() {
        begin(10);
        catchingUp.keptAbove(11, 30);
        assertThat(catchingUp.neededAbove()).isEqualTo(CatchingUp.NOBODY);
        begin(20);
        assertThat(catchingUp.neededAbove()).isEqualTo(20);
    }
}
