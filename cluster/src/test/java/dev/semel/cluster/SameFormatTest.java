package dev.semel.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.ServerOptions;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of versions that cannot read each other's log. */
@Timeout(60)
class SameFormatTest {
    private final SameFormat format = new SameFormat("127.0.0.1:1", new MemberClient(null));

    @TempDir
    Path folder;

    private static AnsweringMember ofFormat(int number) throws IOException {
        return AnsweringMember.with(new BsonWriter()
                .put("setName", "rs0")
                .put(SameFormat.FIELD, number)
                .finish());
    }

    @Test
    void anotherFormatIsRefused() throws Exception {
        try (AnsweringMember same = ofFormat(Invitation.FORMAT);
                AnsweringMember other = ofFormat(Invitation.FORMAT + 1)) {
            assertThatCode(() -> format.require(List.of(same.host()))).doesNotThrowAnyException();
            assertThatThrownBy(() -> format.require(List.of(same.host(), other.host())))
                    .isInstanceOf(IOException.class)
                    .hasMessage(
                            "%s runs another version of Semel: its log has the format %d, and that of 127.0.0.1:1 the"
                                + " format %d. Run the same version on all members; start this one with the version of"
                                + " the others",
                            other.host(), Invitation.FORMAT + 1, Invitation.FORMAT);
        }
    }

    @Test
    void whoDoesNotAnswerIsNotWaitedFor() {
        assertThatCode(() -> format.require(List.of("127.0.0.1:1"))).doesNotThrowAnyException();
    }

    @Test
    void aMemberSaysItsFormat() throws Exception {
        String self = Cluster.freeAddresses(1).getFirst();
        try (var alone = start(self, List.of(self))) {
            assertThat(alone.connectionString()).contains(self);
            assertThat(new MemberClient(null).hello(self, Duration.ofSeconds(5)).get(SameFormat.FIELD))
                    .isEqualTo(Value.of(Invitation.FORMAT));
        }
    }

    @Test
    void aMemberDoesNotStartBesideOneOfAnotherFormat() throws Exception {
        String self = Cluster.freeAddresses(1).getFirst();
        try (AnsweringMember other = ofFormat(Invitation.FORMAT + 1)) {
            assertThatThrownBy(() -> start(self, List.of(self, other.host())))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining(other.host() + " runs another version of Semel");
        }
    }

    private Member start(String self, List<String> members) throws IOException {
        SetOptions set = new SetOptions("rs0", members, self, folder.resolve("log"), SetOptions.ELECTION_TIMEOUT);
        return Member.start(ServerOptions.directory(folder.resolve("data")).port(SetOptions.port(self)), set);
    }
}
