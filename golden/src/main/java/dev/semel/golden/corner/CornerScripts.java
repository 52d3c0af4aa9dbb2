package dev.semel.golden.corner;

import dev.semel.golden.GoldenScripts;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.json.JsonMode;
import org.bson.json.JsonParseException;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Every corner in every place of the inputs of scripts, whose lines are JSON after a word or none. What the interpreter answers
 * does not matter, as long as it does not throw and names its error.
 */
public final class CornerScripts {
    private static final String VALUE = "v";
    private static final Pattern INTERNAL_ERROR = Pattern.compile("error [18]\\b");
    private static final int FAILURES_SHOWN = 20;

    /** One of so many places is tried, others in each run; 1 for all. */
    private static final int SHARE = Integer.getInteger("share", 60);

    private final Function<String, String> interpreter;
    private final @Nullable String data;
    private final Random random = new Random();

    /** Documents are alike, and each change of them runs many inputs. */
    private final Set<String> dataPaths = new HashSet<>();

    private final List<String> failures = new ArrayList<>();

    private CornerScripts(Function<String, String> interpreter, @Nullable String data) {
        this.interpreter = interpreter;
        this.data = data;
    }

    /** One test for each script, whose inputs have nothing to do with each other. */
    public static Stream<DynamicTest> run(GoldenScripts scripts, Function<String, String> interpreter) {
        return scripts.inputs(inputs -> new CornerScripts(interpreter, null).check(inputs));
    }

    /**
     * One test for each script; the supplier is asked for a fresh interpreter for each.
     *
     * @param data the beginning of inputs with data for those behind them, which are run again with each change
     */
    public static Stream<DynamicTest> run(
            GoldenScripts scripts, Supplier<? extends Function<String, String>> interpreters, String data) {
        return scripts.inputs(inputs -> new CornerScripts(interpreters.get(), data).check(inputs));
    }

    private void check(List<String> inputs) {
        for (int at = 0; at < inputs.size(); at++) {
            String input = inputs.get(at);
            List<String> lines = input.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                for (String line : changes(lines.get(i))) {
                    List<String> changed = new ArrayList<>(lines);
                    changed.set(i, line);
                    String text = String.join("\n", changed);
                    check(text, List.of());
                    if (isData(text)) {
                        inputsUntilNextData(inputs, at).forEach(each -> check(each, List.of(text)));
                    }
                }
            }
            // What it has to do with the inputs behind it.
            failure(input);
        }
        if (!failures.isEmpty()) {
            throw new AssertionError("%d failures:%n%s"
                    .formatted(
                            failures.size(),
                            String.join("\n", failures.subList(0, Math.min(failures.size(), FAILURES_SHOWN)))));
        }
    }

    private List<String> inputsUntilNextData(List<String> inputs, int from) {
        return inputs.subList(from + 1, inputs.size()).stream()
                .takeWhile(each -> !isData(each))
                .toList();
    }

    private boolean isData(String input) {
        return data != null && input.startsWith(data);
    }

    private void check(String input, List<String> before) {
        String failure = failure(input);
        if (failure != null) {
            failures.add(String.join("\n", before) + "\n" + input + "\n" + failure);
        }
    }

    /** Null if it is answered, with an error that has a name if there is one. */
    private @Nullable String failure(String input) {
        try {
            String answer = interpreter.apply(input);
            return INTERNAL_ERROR.matcher(answer).lookingAt() ? answer : null;
        } catch (RuntimeException | Error e) {
            return e.toString();
        }
    }

    private List<String> changes(String line) {
        int start = 0;
        while (start < line.length() && line.charAt(start) != '{' && line.charAt(start) != '[') {
            start++;
        }
        String before = line.substring(0, start);
        BsonDocument wrapped;
        try {
            wrapped = BsonDocument.parse("{" + VALUE + ": " + line.substring(start) + "}");
        } catch (JsonParseException e) {
            return List.of();
        }
        return Place.all(wrapped).stream()
                .filter(each -> each.positions().size() > 1)
                .filter(each -> !isData(line) || dataPaths.add(each.path()))
                .filter(each -> random.nextInt(SHARE) == 0)
                .flatMap(each -> each.changes(wrapped))
                .map(each -> before + json(each))
                .toList();
    }

    private static String json(BsonDocument wrapped) {
        String text = wrapped.toJson(
                JsonWriterSettings.builder().outputMode(JsonMode.EXTENDED).build());
        return text.substring(text.indexOf(':') + 1, text.lastIndexOf('}')).strip();
    }
}
