package dev.semel.conformance.moving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MovingTest {
    @TempDir
    Path classes;

    @Test
    @SuppressWarnings("unchecked") // the same class, with other imports
    void anApplicationRunsTheSameWithOtherImports() throws Exception {
        Function<String, List<String>> moved = Moved.instance("Library", Function.class, classes);
        try (Server server = Server.start(ServerOptions.memory())) {
            List<String> official = new Library().apply(server.connectionString());
            List<String> own = moved.apply(server.connectionString());

            assertThat(own).hasSizeGreaterThan(40).isEqualTo(official);
        }
    }
}
