package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A few small views that name each other many times stand for a pipeline that no memory has room for. */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ViewsOfViewsTest {
    private static final String UNION = "{\"$unionWith\": \"%s\"}";
    private static final String LOOKUP =
            "{\"$lookup\": {\"from\": \"%s\", \"localField\": \"a\", \"foreignField\": \"a\", \"as\": \"r\"}}";
    private static final String GRAPH = "{\"$graphLookup\": {\"from\": \"%s\", \"startWith\": \"$a\","
            + " \"connectFromField\": \"a\", \"connectToField\": \"a\", \"as\": \"r\"}}";

    @RegisterExtension
    private final ServerWithLimits server = new ServerWithLimits(Map.of("queryBytesTotalMax", "8388608"));

    @BeforeEach
    void insert() throws Exception {
        server.run("{\"insert\": \"c\", \"documents\": [{\"_id\": 1}], \"$db\": \"db\"}");
    }

    private void view(String name, String on, String stage, String other, int times) throws Exception {
        String stages = String.join(", ", Collections.nCopies(times, stage.formatted(other)));
        RawDocument reply = server.run("{\"create\": \"" + name + "\", \"viewOn\": \"" + on + "\", \"pipeline\": ["
                + stages + "], \"$db\": \"db\"}");
        assertThat(reply.get("ok")).as(reply.toString()).isEqualTo(Value.of(1.0));
    }

    /** Views v0, v1 ... of which each is made of the one below it. */
    private void views(int depth, String stage, int times) throws Exception {
        String below = "c";
        for (int i = 0; i < depth; i++) {
            view("v" + i, "c", stage, below, times);
            below = "v" + i;
        }
    }

    private RawDocument find(String view) throws Exception {
        return server.run("{\"find\": \"" + view + "\", \"$db\": \"db\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {UNION, LOOKUP, GRAPH})
    void whatTheyStandForCounts(String stage) throws Exception {
        views(6, stage, 30);
        for (String command : new String[] {
            "{\"find\": \"v5\", \"$db\": \"db\"}",
            "{\"count\": \"v5\", \"$db\": \"db\"}",
            "{\"aggregate\": \"c\", \"cursor\": {}, \"pipeline\": [" + stage.formatted("v4") + "], \"$db\": \"db\"}"
        }) {
            RawDocument reply = server.run(command);
            assertThat(reply.get("code")).as(reply.toString()).isEqualTo(Value.of(146));
            assertThat(String.valueOf(reply.get("errmsg"))).contains("queryBytesTotalMax");
        }
        assertThat(find("v0").get("ok")).isEqualTo(Value.of(1.0));
        RawDocument status = server.run("{\"serverStatus\": 1, \"$db\": \"admin\"}");
        assertThat(String.valueOf(status.get("memoryAccount"))).contains("\"queries\": {\"used\": 0,");
    }

    /** Stages that take next to nothing where they are written do so in great numbers, too. */
    @Test
    void smallStagesCount() throws Exception {
        view("small", "c", "{\"$match\": {}}", "", 900);
        view("many", "c", UNION, "small", 900);
        assertThat(find("many").get("code")).isEqualTo(Value.of(146));
        assertThat(find("small").get("ok")).isEqualTo(Value.of(1.0));
    }

    @ParameterizedTest
    @ValueSource(strings = {UNION, LOOKUP, GRAPH})
    void twentyLevelsAndNoMore(String stage) throws Exception {
        views(21, stage, 1);
        assertThat(find("v19").get("ok")).isEqualTo(Value.of(1.0));
        assertThat(find("v20").get("code")).isEqualTo(Value.of(232));
    }

    @ParameterizedTest
    @ValueSource(strings = {UNION, LOOKUP, GRAPH})
    void itself(String stage) throws Exception {
        view("v", "c", stage, "v", 1);
        assertThat(find("v").get("code")).isEqualTo(Value.of(232));
    }
}
