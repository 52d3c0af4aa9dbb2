package dev.semel.blackpipe.fault;

import dev.semel.blackpipe.message.Request;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The current rules, with their counters. May be changed while it is in use. */
public final class Plan {
    private final CopyOnWriteArrayList<Armed> rules = new CopyOnWriteArrayList<>();

    private static final class Armed {
        private final Rule rule;
        private final AtomicLong matched = new AtomicLong();
        private final AtomicLong injected = new AtomicLong();

        private Armed(Rule rule) {
            this.rule = rule;
        }
    }

    /** A rule, how many requests it has matched, and into how many of them its fault was injected. */
    public record RuleStatus(Rule rule, long matched, long injected) {}

    public static Plan of(Rule... rules) {
        return of(List.of(rules));
    }

    public static Plan of(List<Rule> rules) {
        Plan plan = new Plan();
        plan.add(rules);
        return plan;
    }

    public void add(List<Rule> more) {
        rules.addAll(more.stream().map(Armed::new).toList());
    }

    /** Replaces all rules; the counters start again. */
    public void replace(List<Rule> others) {
        rules.clear();
        add(others);
    }

    public List<RuleStatus> status() {
        return rules.stream()
                .map(each -> new RuleStatus(each.rule, each.matched.get(), each.injected.get()))
                .toList();
    }

    /** Whether any rule may match commands of this name; checked before the rest of a request is decoded. */
    public boolean mayMatch(String command) {
        for (Armed each : rules) {
            if (each.rule.match().mayBe(command)) {
                return true;
            }
        }
        return false;
    }

    /** Whether any rule sends an earlier reply again, so that the last reply of each connection has to be kept. */
    public boolean needsEarlierReplies() {
        for (Armed each : rules) {
            if (each.rule.action() instanceof Action.StaleReply) {
                return true;
            }
        }
        return false;
    }

    public boolean isEmpty() {
        return rules.isEmpty();
    }

    /** The first rule whose fault is injected into this request, or null. Every rule that matches counts the request. */
    public @Nullable Rule select(Request request) {
        Rule first = null;
        for (Armed each : rules) {
            if (each.rule.match().test(request)
                    && each.rule.isInjectedAt(each.matched.incrementAndGet())
                    && first == null) {
                each.injected.incrementAndGet();
                first = each.rule;
            }
        }
        return first;
    }
}
