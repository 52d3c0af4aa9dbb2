package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class CarrierCountTest {
    private final CarrierCount tested = new CarrierCount(8);

    @Test
    void oneServesWhatOneCan() {
        assertThat(tested.count()).isEqualTo(1);
        assertThat(tested.next(0.85, false)).isEqualTo(1);
    }

    @Test
    void busyOnesGetMoreUpToTheNumberOfProcessors() {
        int[] counts = {2, 3, 4, 6, 8, 8};
        for (int each : counts) {
            assertThat(tested.next(tested.count(), false)).isEqualTo(each);
        }
    }

    @Test
    void oneThatIsBlockedGetsAnother() {
        assertThat(tested.next(0, true)).isEqualTo(2);
    }

    @Test
    void whatIsSuperfluousForAWhileGoes() {
        tested.next(1, false);
        tested.next(2, false);
        for (int i = 1; i < CarrierCount.CALM_LOOKS; i++) {
            assertThat(tested.next(0.1, false)).isEqualTo(3);
        }
        assertThat(tested.next(0.1, false)).isEqualTo(2);
    }

    @Test
    void aShortPauseTakesNoneAway() {
        tested.next(1, false);
        for (int i = 0; i < 3 * CarrierCount.CALM_LOOKS; i++) {
            assertThat(tested.next(i % CarrierCount.CALM_LOOKS == 0 ? 0.8 : 0.1, false))
                    .isEqualTo(2);
        }
    }

    /** So many virtual threads compute without giving way, and they need not end soon. */
    @Test
    void whenAllAreHeldForLongThereAreMoreThanProcessors() {
        grow(8);
        for (int i = 1; i < CarrierCount.HELD_LOOKS; i++) {
            assertThat(tested.next(8, true)).isEqualTo(8);
        }
        assertThat(tested.next(8, true)).isEqualTo(12);
        assertThat(tested.next(8, true)).isEqualTo(12);
        for (int i = 0; i < 100 * CarrierCount.HELD_LOOKS; i++) {
            tested.next(8, true);
        }
        assertThat(tested.count()).isEqualTo(8 + CarrierCount.HELD_MAX);
    }

    @Test
    void whatIsBeyondTheProcessorsStaysAsLongAsTheyAreBusy() {
        grow(8);
        for (int i = 0; i < CarrierCount.HELD_LOOKS; i++) {
            tested.next(8, true);
        }
        for (int i = 0; i < 3 * CarrierCount.CALM_LOOKS; i++) {
            assertThat(tested.next(7.9, false)).isEqualTo(12);
        }
        for (int i = 0; i < CarrierCount.CALM_LOOKS; i++) {
            tested.next(1, false);
        }
        assertThat(tested.count()).isEqualTo(11);
    }

    private void grow(int carriers) {
        while (tested.count() < carriers) {
            tested.next(tested.count(), false);
        }
    }
}
