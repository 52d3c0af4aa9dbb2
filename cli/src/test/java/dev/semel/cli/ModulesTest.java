package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.google.common.geometry.S2Point;
import com.ibm.icu.text.Collator;
import dev.semel.driver.MongoClient;
import dev.semel.query.filter.Filter;
import dev.semel.server.Server;
import dev.semel.store.Store;
import dev.semel.wire.Namespace;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.spi.ToolProvider;
import org.apache.lucene.analysis.WordlistLoader;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.bson.Document;
import org.bson.codecs.record.RecordCodecProvider;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mozilla.javascript.Context;
import org.rocksdb.RocksDB;
import org.xerial.snappy.Snappy;

/** An application on the module path sees what our modules export, and nothing else of them. */
class ModulesTest {
    /** In the order in which they need each other. */
    private static final Map<String, Class<?>> MODULES = new LinkedHashMap<>();

    static {
        MODULES.put("wire", Namespace.class);
        MODULES.put("query", Filter.class);
        MODULES.put("store", Store.class);
        MODULES.put("server", Server.class);
        MODULES.put("driver", MongoClient.class);
    }

    private static final List<Class<?>> LIBRARIES = List.of(
            Document.class,
            RecordCodecProvider.class,
            Snappy.class,
            Zstd.class,
            Collator.class,
            S2Point.class,
            SnowballFilter.class,
            WordlistLoader.class,
            Context.class,
            KeyValue.class,
            Observation.class,
            RocksDB.class);

    @TempDir
    Path folder;

    private final List<String> options = new ArrayList<>();
    private final List<String> path = new ArrayList<>();

    @Test
    void applicationCompilesAgainstServerAndDriver() throws Exception {
        assertThat(compile("""
            package app;
            import dev.semel.driver.*;
            import dev.semel.driver.model.Filters;
            import dev.semel.server.*;
            import org.bson.Document;
            public class App {
                public static void main(String[] arguments) throws Exception {
                    try (Server server = Server.start(ServerOptions.memory());
                            MongoClient client = MongoClients.create(server.connectionString())) {
                        var orders = client.getDatabase("shop").getCollection("orders");
                        orders.insertOne(new Document("_id", 1).append("open", true));
                        System.out.println(orders.find(Filters.eq("open", true)).first().toJson());
                    }
                }
            }
            """)).isEmpty();
    }

    @Test
    void whatIsInsideIsNot() throws Exception {
        assertThat(compile("""
            package app;
            class App {
                dev.semel.driver.pool.Pool pool;
                dev.semel.server.catalog.Catalog catalog;
                dev.semel.wire.memory.MemoryAccount account;
                dev.semel.store.Store store;
            }
            """))
                .contains(
                        "package dev.semel.driver.pool is not visible",
                        "package dev.semel.server.catalog is not visible",
                        "package dev.semel.wire.memory is not visible",
                        "package dev.semel.store is not visible")
                .contains("4 errors");
    }

    /** What the compiler says to it. */
    private String compile(String application) throws Exception {
        for (Class<?> each : LIBRARIES) {
            path.add(location(each));
        }
        path.add(annotations());
        // The descriptors are compiled here because not every build of the classes has compiled them.
        for (var module : MODULES.entrySet()) {
            String name = "dev.semel." + module.getKey();
            options.addAll(List.of("--patch-module", name + "=" + location(module.getValue())));
            Path descriptor = Path.of("..", module.getKey(), "src", "main", "module", "module-info.java");
            Path out = folder.resolve(name);
            assertThat(javac(out, descriptor)).isEmpty();
            path.add(out.toString());
        }
        Path sources = Files.createDirectory(folder.resolve("application"));
        Path app = Files.writeString(sources.resolve("App.java"), application);
        Path descriptor = Files.writeString(
                sources.resolve("module-info.java"),
                "module app { requires dev.semel.driver; requires dev.semel.server; }");
        Path out = folder.resolve("app");
        String said = javac(out, descriptor, app);
        path.add(out.toString());
        return said;
    }

    private String javac(Path out, Path... sources) {
        List<String> arguments = new ArrayList<>(options);
        arguments.addAll(List.of("-proc:none", "-nowarn", "-p", joined(path), "-d", out.toString()));
        for (Path each : sources) {
            arguments.add(each.toString());
        }
        StringWriter said = new StringWriter();
        PrintWriter to = new PrintWriter(said);
        ToolProvider.findFirst("javac").orElseThrow().run(to, to, arguments.toArray(String[]::new));
        return said.toString();
    }

    private static String joined(List<String> path) {
        return String.join(File.pathSeparator, path);
    }

    /** The consensus engine brings them as well, in a jar that is no module. */
    private static String annotations() throws IOException {
        for (var each : Collections.list(NullMarked.class
                .getClassLoader()
                .getResources(NullMarked.class.getName().replace('.', '/') + ".class"))) {
            String url = each.toString();
            if (url.contains("/jspecify-")) {
                return Path.of(URI.create(url.substring("jar:".length(), url.indexOf("!/"))))
                        .toRealPath()
                        .toString();
            }
        }
        throw new IllegalStateException("no jar of jspecify");
    }

    private static String location(Class<?> type) throws URISyntaxException, IOException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toRealPath()
                .toString();
    }
}
