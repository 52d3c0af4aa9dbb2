package dev.semel.query.text;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.WordlistLoader;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.util.ModuleResourceLoader;

/** The frequent words of each language, which are in no index: Snowball's lists where there are any. */
final class StopWords {
    private static final String FOLDER = "org/apache/lucene/analysis/";

    private static final Map<Language, Set<String>> ALL =
            Arrays.stream(Language.values()).collect(Collectors.toUnmodifiableMap(each -> each, StopWords::read));

    private StopWords() {}

    static Set<String> of(Language language) {
        return ALL.getOrDefault(language, Set.of());
    }

    private static Set<String> read(Language language) {
        return switch (language) {
            case NONE -> Set.of();
            case ROMANIAN -> read("ro/stopwords.txt");
            case TURKISH -> read("tr/stopwords.txt");
            default -> read("snowball/" + language + "_stop.txt");
        };
    }

    private static Set<String> read(String name) {
        // The library's files are open to the library alone, so it has to read them itself.
        var resources = new ModuleResourceLoader(SnowballFilter.class.getModule());
        try (var in = new BufferedReader(
                new InputStreamReader(resources.openResource(FOLDER + name), StandardCharsets.UTF_8))) {
            var words = name.startsWith("snowball/")
                    ? WordlistLoader.getSnowballWordSet(in)
                    : WordlistLoader.getWordSet(in, "#");
            return words.stream().map(word -> new String((char[]) word)).collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
