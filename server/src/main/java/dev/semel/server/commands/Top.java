package dev.semel.server.commands;

import dev.semel.server.auth.Action;
import dev.semel.server.command.Arguments;
import dev.semel.server.command.Call;
import dev.semel.server.command.Command;
import dev.semel.server.command.Reply;
import dev.semel.server.command.Rights;
import dev.semel.server.command.Spec;
import dev.semel.server.command.Spec.Trait;
import dev.semel.server.status.Usage;
import dev.semel.server.status.Usage.Kind;
import dev.semel.wire.bson.BsonWriter;
import java.util.Arrays;
import java.util.List;

/** {@code top}: how often and how long each collection was worked on. */
final class Top implements Command<Top.Args> {
    /** Nothing to say. */
    record Args() {}

    private final Usage usage;

    Top(Usage usage) {
        this.usage = usage;
    }

    @Override
    public Spec spec() {
        return Spec.of("top").with(Trait.ADMIN_ONLY).needs(Rights.onCluster(Action.top));
    }

    @Override
    public Args parse(Arguments in) {
        return new Args();
    }

    @Override
    public Reply run(Args args, Call call) {
        BsonWriter reply = new BsonWriter(1024).startDocument("totals").put("note", "all times in microseconds");
        usage.all().forEach((namespace, times) -> {
            List<Kind> kinds = Arrays.asList(Kind.values());
            reply.startDocument(namespace.toString());
            add(reply, "total", times, kinds);
            add(
                    reply,
                    "readLock",
                    times,
                    kinds.stream().filter(each -> !each.isWrite()).toList());
            add(reply, "writeLock", times, kinds.stream().filter(Kind::isWrite).toList());
            kinds.forEach(each -> add(reply, each.label(), times, List.of(each)));
            reply.end();
        });
        return Reply.of(reply.end());
    }

    private static void add(BsonWriter out, String name, Usage.Times times, List<Kind> kinds) {
        out.startDocument(name)
                .put("time", kinds.stream().mapToLong(times::micros).sum())
                .put("count", kinds.stream().mapToLong(times::count).sum())
                .end();
    }
}
