package dev.semel.server.commands;

import com.sun.management.OperatingSystemMXBean;
import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.Value;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.InstantSource;

/** {@code hostInfo}: the machine. */
final class HostInfo implements Command<HostInfo.Args> {
    private static final long MEGABYTE = 1024 * 1024;

    private final InstantSource clock;

    record Args() {}

    HostInfo(InstantSource clock) {
        this.clock = clock;
    }

    @Override
    public Spec spec() {
        return Spec.of("hostInfo").needs(Rights.onCluster(Action.hostInfo));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        long memory =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
        BsonWriter out = new BsonWriter();
        out.startDocument("system")
                .put("currentTime", new Value.Date(clock.millis()))
                .put("hostname", hostname())
                .put("cpuAddrSize", 64)
                .put("memSizeMB", memory / MEGABYTE)
                .put("memLimitMB", Runtime.getRuntime().maxMemory() / MEGABYTE)
                .put("numCores", Runtime.getRuntime().availableProcessors())
                .put("cpuArch", System.getProperty("os.arch", ""))
                .put("numaEnabled", false)
                .end();
        out.startDocument("os")
                .put("type", System.getProperty("os.name", ""))
                .put("name", System.getProperty("os.name", ""))
                .put("version", System.getProperty("os.version", ""))
                .end();
        out.startDocument("extra")
                .put("javaVersion", System.getProperty("java.runtime.version", ""))
                .end();
        return Reply.of(out);
    }

    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
