package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cluster.RaftReplicaSet.View;
import org.junit.jupiter.api.Test;

/** What a member says of itself while terms change. */
class ViewTest {
    private static final View PRIMARY = View.UNKNOWN.following("a", 2).writable("a", 2, 0);

    /** A driver believes whoever is primary with the highest election id, and would refuse the real one of that term. */
    @Test
    void isNoPrimaryInATermOfAnother() {
        assertThat(PRIMARY.following("b", 3).isWritable()).isFalse();
        assertThat(PRIMARY.following(null, 3).isWritable()).isFalse();
        assertThat(PRIMARY.following("a", 2).isWritable()).isTrue();
    }

    @Test
    void takesNotOverWhenALaterTermHasBegun() {
        View later = View.UNKNOWN.following("b", 3);
        assertThat(later.writable("a", 2, 0)).isEqualTo(later);
    }
}
