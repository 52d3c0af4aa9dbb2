package dev.semel.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedTest {
    private static Typed parse(String line) {
        return Typed.parse(line, 3);
    }

    @Test
    void commandsAreUnderstood() {
        assertThat(parse("quit")).isEqualTo(new Typed.Quit());
        assertThat(parse("status")).isEqualTo(new Typed.Status());
        assertThat(parse("restart all")).isEqualTo(new Typed.RestartAll());
        assertThat(parse("kill primary 5")).isEqualTo(new Typed.KillPrimary(5));
        assertThat(parse("stop primary")).isEqualTo(new Typed.ToPrimary(Typed.Action.STOP));
        assertThat(parse("pause \t3")).isEqualTo(new Typed.ToMember(Typed.Action.PAUSE, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "foo | unknown command foo: there are status, quit, and, with a member, kill, stop, pause, resume,"
                        + " restart, partition, heal",
                "foo 1 | unknown command foo: there are status, quit, and, with a member, kill, stop, pause, resume,"
                        + " restart, partition, heal",
                "quit 1 | quit takes nothing behind it",
                "kill 9 | no member 9: members are 1 to 3",
                "kill 0 | no member 0: members are 1 to 3",
                "heal one | no member one: members are 1 to 3",
                "kill all | no member all: members are 1 to 3",
                "kill | kill needs one member: its number, 1 to 3, or primary",
                "stop 1 2 | stop needs one member: its number, 1 to 3, or primary",
                "restart primary 2 | restart needs one member: its number, 1 to 3, or primary",
                "kill primary 0 | kill primary 0: it can be killed 1 to 99 times",
                "kill primary often | kill primary often: it can be killed 1 to 99 times",
            })
    void whatIsWrongIsNamed(String line, String why) {
        assertThat(parse(line)).isEqualTo(new Typed.Wrong(why));
    }

    @Test
    void memberThatIsPausedCannotEndInOrder() {
        assertThat(possible(LocalSet.State.RUNNING)).containsExactly("kill", "stop", "pause", "partition", "heal");
        assertThat(possible(LocalSet.State.PAUSED)).containsExactly("kill", "resume", "partition", "heal");
        assertThat(possible(LocalSet.State.STOPPED)).containsExactly("restart", "partition", "heal");
    }

    private static List<String> possible(LocalSet.State state) {
        return Arrays.stream(Typed.Action.values())
                .filter(each -> each.isPossible(state))
                .map(Typed.Action::word)
                .toList();
    }
}
