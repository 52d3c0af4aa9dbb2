package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cluster.Peers.Peer;
import dev.semel.cluster.Peers.State;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.message.Message.OpMsg;
import dev.semel.wire.message.MessageWriter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is known of the other members if some of them do not answer as members do. */
@Timeout(60)
class PeersTest {
    private static final int HEADER_AND_FLAGS = 21;
    private static final byte NO_TYPE = 0x7e;

    private static final byte[] SECONDARY = MessageWriter.encode(OpMsg.of(
            1, 0, new BsonWriter().put("setName", "rs0").put("secondary", true).finish()));

    private final Peers peers = new Peers(new MemberClient(null), InstantSource.fixed(Instant.ofEpochMilli(5000)));

    @Test
    void anAnswerThatIsNotWellFormedIsNone() throws Exception {
        byte[] broken = SECONDARY.clone();
        broken[HEADER_AND_FLAGS + 4] = NO_TYPE;
        try (AnsweringMember good = AnsweringMember.with(SECONDARY);
                AnsweringMember bad = AnsweringMember.with(broken)) {
            Map<String, Peer> answers = peers.ask(List.of(good.host(), bad.host()));
            assertThat(answers).containsOnlyKeys(good.host(), bad.host());
            assertThat(answers.get(good.host())).isEqualTo(new Peer(State.SECONDARY, null, 5000, 0, 5000, ""));
            Peer other = Objects.requireNonNull(answers.get(bad.host()));
            assertThat(other.state()).isEqualTo(State.DOWN);
            assertThat(other.problem()).isNotEmpty();
        }
    }

    @Test
    void whoHasJustAnsweredIsNotAskedAgainAndWhoIsNoMemberIsForgotten() throws Exception {
        try (AnsweringMember one = AnsweringMember.with(SECONDARY);
                AnsweringMember two = AnsweringMember.with(SECONDARY)) {
            peers.ask(List.of(one.host(), two.host()));
            assertThat(peers.ask(List.of(one.host()))).containsOnlyKeys(one.host());
            assertThat(one.questions()).hasValue(1);
            peers.ask(List.of(one.host(), two.host()));
            assertThat(two.questions()).hasValue(2);
        }
    }
}
