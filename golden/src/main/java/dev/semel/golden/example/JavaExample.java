package dev.semel.golden.example;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles and runs an example in Java. What the reader has around it is given: imports, statements before it, which find
 * the connection string in {@code uri}, and statements behind it, which throw if it has not done what it says.
 */
public final class JavaExample {
    private static final String NAME = "Pasted";

    private JavaExample() {}

    /**
     * What is around an example.
     *
     * @param imports packages ({@code java.util.*}), classes, or {@code static} members
     * @param members of the class, such as methods that the example calls
     * @param before statements
     * @param after statements
     */
    public record Setting(List<String> imports, String members, String before, String after) {}

    /** Runs statements. */
    public static void run(Setting setting, String code, String uri) throws Exception {
        Path folder = compiled(setting, code);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, JavaExample.class.getClassLoader())) {
            var pasted = loader.loadClass(NAME);
            var given = pasted.getDeclaredField("uri");
            given.setAccessible(true);
            given.set(null, uri);
            var run = pasted.getDeclaredMethod("run");
            run.setAccessible(true);
            run.invoke(null);
        } catch (InvocationTargetException e) {
            throw new AssertionError("the example failed:\n" + code, e.getCause());
        } finally {
            delete(folder);
        }
    }

    /** Statements that cannot be run, or would not end. */
    public static void compile(Setting setting, String code) throws IOException {
        delete(compiled(setting, code));
    }

    private static Path compiled(Setting setting, String code) throws IOException {
        // A field, because a lambda's parameter may have the same name.
        String before =
                "static String uri;\n" + setting.members + "static void run() throws Exception {\n" + setting.before;
        return compile(setting.imports, before, code, setting.after + "\n}\n");
    }

    private static Path compile(List<String> imports, String before, String code, String after) throws IOException {
        Path folder = Files.createTempDirectory("example");
        // A page may import what is worth mentioning.
        String own = code.lines().filter(JavaExample::isImport).collect(Collectors.joining("\n"));
        String rest = code.lines().filter(each -> !isImport(each)).collect(Collectors.joining("\n"));
        String given = imports.stream().map(each -> "import " + each + ";\n").collect(Collectors.joining());
        Path source = Files.writeString(
                folder.resolve(NAME + ".java"),
                given + own + "\nfinal class " + NAME + " {\n" + before + rest + "\n" + after + "}\n");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var options = List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"), "-proc:none");
            if (!compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call()) {
                delete(folder);
                throw new AssertionError("the example does not compile:\n" + said);
            }
        }
        return folder;
    }

    private static boolean isImport(String line) {
        return line.startsWith("import ");
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path each : files.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }
}
