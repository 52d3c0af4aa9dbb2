package dev.semel.golden.mutation;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The program that runs tests for {@link MutantRun}: one after another, with a line for each that says how it ended. */
final class TestRun {
    static final String PASSED = "mutation check: passed ";
    static final String FAILED = "mutation check: failed ";

    private TestRun() {}

    /** Each argument is a class with its package, a #, and a method or nothing. */
    public static void main(String[] tests) throws ClassNotFoundException {
        for (int i = 0; i < tests.length; i++) {
            var summary = new SummaryGeneratingListener();
            LauncherFactory.create().execute(request(tests[i]), summary);
            var result = summary.getSummary();
            if (result.getTotalFailureCount() > 0) {
                System.out.println("\n" + FAILED + i);
            } else if (result.getTestsSucceededCount() > 0) {
                System.out.println("\n" + PASSED + i);
            }
        }
        // Threads of what the fault broke must not keep the program alive.
        System.exit(0);
    }

    private static LauncherDiscoveryRequest request(String test) throws ClassNotFoundException {
        String[] parts = test.split("#", -1);
        Class<?> type = Class.forName(parts[0]);
        List<DiscoverySelector> selectors = new ArrayList<>();
        if (parts[1].isEmpty()) {
            selectors.add(DiscoverySelectors.selectClass(type));
        }
        for (Method each : type.getDeclaredMethods()) {
            if (each.getName().equals(parts[1]) && !each.isSynthetic()) {
                selectors.add(DiscoverySelectors.selectMethod(type, each));
            }
        }
        return LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
    }
}
