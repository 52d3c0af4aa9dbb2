package dev.semel.query.pipeline;

import dev.semel.wire.bson.RawDocument;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a client has sent for the stages of its pipeline, for {@code explain}. The optimizer leaves most stages as they are. */
public final class SentStages {
    private final IdentityHashMap<Object, RawDocument> sent = new IdentityHashMap<>();

    /** Of several stages that make up what was sent, the one that is most like it stands for it. */
    void made(RawDocument from, List<Stage> stages) {
        Stage main = null;
        for (Stage each : stages) {
            if (main == null || main instanceof Sort || each instanceof SetWindowFields) {
                main = each;
            }
        }
        if (main != null) {
            sent.put(key(main), from);
        }
    }

    /** Null for a stage that nobody has sent. */
    public @Nullable RawDocument of(Stage stage) {
        return sent.get(key(stage));
    }

    /** A {@code $lookup} becomes another stage when it is to take its results apart. */
    private static Object key(Stage stage) {
        return stage instanceof Lookup lookup ? lookup.foreign() : stage;
    }
}
