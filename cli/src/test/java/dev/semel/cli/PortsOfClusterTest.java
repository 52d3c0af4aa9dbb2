package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.cli.cluster.Console;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Otherwise the members would end at once, and only their logs would say why. */
class PortsOfClusterTest {
    @Test
    void aPortInUseIsNamedBeforeAnyMemberStarts(@TempDir Path folder) throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var in = new BufferedReader(new StringReader("quit"));
            var console = new Console(new PrintWriter(new StringWriter()));
            assertThatThrownBy(() -> console.run(1, taken.getLocalPort(), folder, in))
                    .isInstanceOf(BindException.class)
                    .hasMessage(
                            "port %d, for clients, is in use; choose other ports with --port", taken.getLocalPort());
        }
        assertThat(folder).isEmptyDirectory();
    }
}
