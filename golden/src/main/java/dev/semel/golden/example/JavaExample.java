package dev.semel.golden.example;

import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Compiles and runs an example in Java. What the reader has around it is given: methods that it calls, statements before it, which find
 * the connection string in {@code uri}, and statements behind it, which throw if it has not done what it says. Imports are the
 * example's own: it has to compile as it is pasted.
 */
public final class JavaExample {
    private static final String NAME = "Pasted";

    private JavaExample() {}

    /**
     * What is around an example.
     *
     * @param members of the class, such as methods that the example calls
     * @param before statements
     * @param after statements
     */
    public record Setting(String members, String before, String after) {}

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

    /** Runs a whole program. */
    public static void runProgram(String name, String code) throws Exception {
        Path folder = compile(name, code);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, JavaExample.class.getClassLoader())) {
            loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
        } catch (InvocationTargetException e) {
            throw new AssertionError("the example failed:\n" + code, e.getCause());
        } finally {
            delete(folder);
        }
    }

    /** A whole file with a class of this name. */
    public static void compileFile(String name, String code) throws IOException {
        delete(compile(name, code));
    }

    /** Statements that cannot be run, or would not end. */
    public static void compile(Setting setting, String code) throws IOException {
        delete(compiled(setting, code));
    }

    private static Path compiled(Setting setting, String code) throws IOException {
        // A page imports what it uses; the rest of the setting names classes in full.
        String imports = lines(code, JavaExample::isImport);
        String members = lines(code, JavaExample::isMember);
        String statements = lines(code, line -> !isImport(line) && !isMember(line));
        // The address is a field, because a lambda's parameter may have the same name.
        return compile(
                NAME,
                imports + """

                    final class %s {
                        static String uri;
                        %s
                        %s
                        static void run() throws Exception {
                            %s
                            %s
                            %s
                        }
                    }
                    """.formatted(NAME, setting.members, members, setting.before, statements, setting.after));
    }

    private static String lines(String code, Predicate<String> chosen) {
        return code.lines().filter(chosen).collect(Collectors.joining("\n", "", "\n"));
    }

    private static Path compile(String name, String text) throws IOException {
        Path folder = Files.createTempDirectory("example");
        Path source = Files.writeString(folder.resolve(name + ".java"), text);
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

    /** A record that fits in one line: a local one could not be public. */
    private static boolean isMember(String line) {
        return line.startsWith("public record ");
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
