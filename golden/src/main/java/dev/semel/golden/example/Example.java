package dev.semel.golden.example;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A fenced block of code on a page: what a reader would copy.
 *
 * <p>To test the examples of a page, take them with {@code Example.on("docs/transactions.md")} and give each to
 * {@link ClientProgram#run} or {@link JavaExample#run} with the connection string of a server. What an example needs and the
 * reader has (documents, variables) is put before it, what shows that it worked behind it:
 *
 * <pre>{@code
 * var example = Example.on("docs/transactions.md").get(1);
 * var said = ClientProgram.MONGOSH.run(uri, SETUP + example.code() + "print(db.accounts.findOne({_id: 'a'}).balance)\n");
 * assertThat(said.exitCode()).as(said.output()).isZero();
 * assertThat(said.output()).contains("90");
 * }</pre>
 *
 * @param page from the root of the repository, such as {@code docs/transactions.md}
 * @param line of the page, at which the code begins
 * @param language as the fence says: {@code js}, {@code python}, {@code java}, {@code sh}; empty for none
 * @param code without the indentation that the fence has
 */
public record Example(String page, int line, String language, String code) {
    private static final String FENCE = "```";

    /** Every page for users: the read-me and all in {@code docs}. */
    public static List<String> pages() throws IOException {
        try (Stream<Path> docs = Files.list(root().resolve("docs"))) {
            Stream<String> named = docs.map(each -> "docs/" + each.getFileName())
                    .filter(each -> each.endsWith(".md"))
                    .sorted();
            return Stream.concat(Stream.of("README.md"), named).toList();
        }
    }

    /** The blocks of a page that name a language, in their order; what has none shows output. */
    public static List<Example> on(String page) throws IOException {
        List<Example> found = new ArrayList<>();
        List<String> lines = Files.readAllLines(root().resolve(page));
        int at = 0;
        while (at < lines.size()) {
            String fence = lines.get(at++);
            if (!fence.strip().startsWith(FENCE)) {
                continue;
            }
            int first = at;
            while (!lines.get(at).strip().equals(FENCE)) {
                at++;
            }
            String language = fence.strip().substring(FENCE.length());
            if (!language.isEmpty()) {
                String code = String.join("\n", lines.subList(first, at)) + "\n";
                found.add(new Example(page, first + 1, language, code.stripIndent()));
            }
            at++;
        }
        return found;
    }

    /** Of the repository, from the folder of any module. */
    public static Path root() {
        Path here = Path.of("").toAbsolutePath();
        for (Path folder = here; folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("ARCHITECTURE.md"))) {
                return folder;
            }
        }
        throw new IllegalStateException("not in the repository: " + here);
    }

    @Override
    public String toString() {
        return page + ":" + line + " (" + language + ")";
    }
}
