package dev.semel.conformance.moving;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Compiles a class of this package for this project's driver, by changing its imports and nothing else. */
final class Moved {
    private static final Path SOURCES = Path.of("src/test/java/dev/semel/conformance/moving");

    private record Rule(Pattern from, String to) {}

    /** What the guide of the driver says; the first that fits counts. */
    private static final List<Rule> IMPORTS = List.of(
            rule("client\\.result\\.", "model."),
            rule("bulk\\.", "model."),
            rule("client\\.gridfs\\.model\\.", "gridfs."),
            rule("client\\.", ""),
            rule("MongoClientSettings", "MongoClientSettings"),
            rule("MongoBulkWriteException", "model.MongoBulkWriteException"),
            rule("event\\.", "event."),
            rule("connection\\.", ""),
            rule("(\\w+Exception|ErrorCategory|WriteError)", "error.$2"),
            rule("", "setting."));

    private Moved() {}

    static String source(String name) {
        try {
            return Files.readString(SOURCES.resolve(name + ".java"))
                    .lines()
                    .map(Moved::withOtherImport)
                    .collect(Collectors.joining("\n", "", "\n"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String withOtherImport(String line) {
        if (line.startsWith("package ")) {
            return "package moved;";
        }
        return IMPORTS.stream()
                .filter(each -> each.from.matcher(line).lookingAt())
                .findFirst()
                .map(each -> each.from.matcher(line).replaceFirst(each.to))
                .orElse(line);
    }

    private static Rule rule(String from, String to) {
        return new Rule(Pattern.compile("import (static )?com\\.mongodb\\." + from), "import $1dev.semel.driver." + to);
    }

    /** The class with the same name, of the other driver. */
    static <T> T instance(String name, Class<T> type, Path target) throws ReflectiveOperationException, IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        var problems = new DiagnosticCollector<JavaFileObject>();
        var options = List.of("-proc:none", "-nowarn", "-d", target.toString());
        var task = compiler.getTask(null, null, problems, options, null, List.of(file(name)));
        if (!task.call()) {
            throw new AssertionError("With other imports only it does not compile:\n"
                    + problems.getDiagnostics().stream()
                            .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
                            .map(Object::toString)
                            .collect(Collectors.joining("\n")));
        }
        var loader = new URLClassLoader(new URL[] {target.toUri().toURL()}, Moved.class.getClassLoader());
        return type.cast(loader.loadClass("moved." + name).getConstructor().newInstance());
    }

    private static JavaFileObject file(String name) {
        String source = source(name);
        return new SimpleJavaFileObject(URI.create("string:///moved/" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoresEncodingErrors) {
                return source;
            }
        };
    }
}
