package dev.semel.query.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.query.Shorthand;
import dev.semel.wire.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Words and scores as MongoDB has them. */
class TextTest {
    private static TextSpec spec(Language language, int version, Map<String, Double> weights) {
        return new TextSpec(new TreeMap<>(weights), weights.isEmpty(), language, "language", version);
    }

    private static List<String> terms(String text, Language language, int version) {
        List<String> terms = new ArrayList<>();
        Tokens tokens =
                Tokens.ofIndex(language, spec(language, version, Map.of())).over(text);
        for (String term = tokens.next(); term != null; term = tokens.next()) {
            terms.add(term);
        }
        return terms;
    }

    /** A word with an ending, and a stop word, of each language. */
    @ParameterizedTest
    @CsvSource({
        "danish, huse og, hus",
        "dutch, lichamelijk van, licham",
        "english, Baking the cakes, bake cake",
        "finnish, taloissa ja, talo",
        "french, continuellement dans, continuel",
        "german, Häuser und, haus",
        "hungarian, házakat és, haz",
        "italian, abbandonata della, abbandon",
        "norwegian, husene og, hus",
        "portuguese, quilométricas para, quilometr",
        "romanian, abrupte este, abrupt",
        "russian, Сырники и, сырник",
        "spanish, leches y, lech",
        "swedish, husen och, hus",
        "turkish, kitaplar ve, kitap",
        "none, Baking the cakes, baking the cakes"
    })
    void languageHasStemmerAndStopWords(String language, String text, String expected) {
        assertThat(terms(text, Language.of(language, 3), 3)).isEqualTo(List.of(expected.split(" ")));
    }

    @ParameterizedTest
    @CsvSource({
        "da, danish", "nl, dutch", "en, english", "fi, finnish", "fr, french", "de, german", "hu, hungarian",
        "it, italian", "nb, norwegian", "pt, portuguese", "ro, romanian", "ru, russian", "es, spanish", "sv, swedish",
        "tr, turkish", "ENGLISH, english", "none, none"
    })
    void languageHasCodeOfTwoLetters(String code, String name) {
        assertThat(Language.of(code, 3)).hasToString(name);
    }

    @Test
    void unknownLanguageIsRefusedExceptInTheFirstVersion() {
        assertThatThrownBy(() -> Language.of("klingon", 2))
                .isInstanceOf(CommandException.class)
                .hasMessage("unsupported language: \"klingon\" for text index version 2");
        assertThat(Language.of("klingon", 1)).isEqualTo(Language.NONE);
    }

    @Test
    void apostropheBelongsToWordsOfEnglishOnly() {
        assertThat(terms("Don't o'clock", Language.ENGLISH, 3)).containsExactly("o'clock");
        assertThat(terms("l'eau", Language.NONE, 3)).containsExactly("l", "eau");
    }

    @Test
    void marksAndDelimitersOfUnicodeCountSinceVersionThree() {
        assertThat(terms("Élan–vital «x»_y", Language.NONE, 3)).containsExactly("elan", "vital", "x", "_y");
        assertThat(terms("Élan–vital «x»_y", Language.NONE, 2)).containsExactly("Élan–vital", "«x»_y");
        assertThat(terms("I İ ı", Language.TURKISH, 3)).containsExactly("ı", "i", "ı");
    }

    @Test
    void termOfAWholeFieldScoresMore() {
        assertThat(scores("{a: 'Cake'}", Map.of("a", 1.0))).isEqualTo(Map.of("cake", 1.1));
        assertThat(scores("{a: 'coffee'}", Map.of("a", 1.0))).isEqualTo(Map.of("coffe", 1.0));
    }

    /** Three of four words: 1 + 1/2 + 1/4, times a half and half the share. */
    @Test
    void repetitionsCountLess() {
        assertThat(scores("{a: 'tea tea milk TEA'}", Map.of("a", 2.0)))
                .isEqualTo(Map.of("tea", 2 * 1.75 * (0.5 * 3 / 4 + 0.5), "milk", 2 * (0.5 * 1 / 4 + 0.5)));
    }

    @Test
    void fieldsAndElementsAddUp() {
        assertThat(scores("{a: ['tea', 'tea'], b: {c: 'tea x', d: 'tea'}, 'e': 'tea'}", Map.of("a", 1.0, "b.c", 10.0)))
                .isEqualTo(Map.of("tea", 1.1 + 1.1 + 7.5, "x", 7.5));
    }

    @Test
    void wildcardHasEveryStringButTheLanguage() {
        assertThat(scores("{a: [['tea']], b: {c: 'milk', language: 'en'}, language: 'english', n: 1}", Map.of()))
                .isEqualTo(Map.of("tea", 1.1, "milk", 1.1));
    }

    @Test
    void documentNamesItsLanguage() {
        assertThat(scores("{language: 'none', a: 'cakes', b: {language: 'en', a: 'cakes'}, c: {a: 'cakes'}}", Map.of()))
                .isEqualTo(Map.of("cakes", 1.1 + 1.1, "cake", 1.0));
    }

    @Test
    void documentWithTooManyTermsIsRefused() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < 3_000_000; i++) {
            text.append('w').append(i).append(' ');
        }
        assertThatThrownBy(() -> scores("{a: '" + text + "'}", Map.of("a", 1.0)))
                .isInstanceOf(CommandException.class)
                .hasMessage("trying to index text where term list is too big, max is 4mb");
    }

    private static Map<String, Double> scores(String document, Map<String, Double> weights) {
        return TermScores.of(Shorthand.document(document), spec(Language.ENGLISH, 3, weights));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "blueberry cakes      | [blueberri, cake] [] [] []",
                "cakes -pie           | [cake] [pie] [] []",
                "cakes - pie          | [cake, pie] [] [] []",
                "pre-market           | [market, pre] [] [] []",
                "-pre-market now      | [now] [market, pre] [] []",
                "\"two words\" x      | [two, word, x] [] [two words] []",
                "x -\"two words\" y   | [x, y] [] [] [two words]",
                "-\"a b\"-\"c d\"     | [] [] [] [a b, c d]",
                "\"in-negated -x\"    | [negat, x] [] [in-negated -x] []",
                "\"open phrase        | [open, phrase] [] [] []",
                "the and              | [] [] [] []"
            })
    void searchIsDivided(String search, String expected) {
        TextQuery query =
                TextQuery.of(new TextSearch(search, null, false, false), spec(Language.ENGLISH, 3, Map.of("a", 1.0)));
        assertThat(query.terms() + " " + query.negatedTerms() + " " + query.phrases() + " " + query.negatedPhrases())
                .isEqualTo(expected);
    }
}
