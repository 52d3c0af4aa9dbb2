package dev.semel.junit;

import dev.semel.blackpipe.audit.Audit;
import dev.semel.blackpipe.audit.AuditException;
import dev.semel.blackpipe.audit.AuditReport;
import dev.semel.blackpipe.audit.Finding;
import dev.semel.blackpipe.audit.Kind;
import dev.semel.blackpipe.audit.PartlyApplied;
import dev.semel.blackpipe.audit.Verdict;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;

/** Audits the method, and makes a test of each finding. */
final class EveryFaultPointExtension implements TestTemplateInvocationContextProvider {
    /** More than processors: most of them wait for a server that does not come. */
    private static final int RUNS_AT_ONCE = 6;

    /** For JUnit. */
    EveryFaultPointExtension() {}

    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return AnnotationSupport.isAnnotated(context.getElement(), EveryFaultPoint.class);
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        AuditReport report = audit(context);
        if (!report.deterministic()) {
            throw new ExtensionConfigurationException(
                    "two runs without faults did not send the same messages: " + report.name());
        }
        return report.findings().stream().map(Invocation::new);
    }

    private static AuditReport audit(ExtensionContext context) {
        Method operation = context.getRequiredTestMethod();
        EveryFaultPoint wanted = Objects.requireNonNull(operation.getAnnotation(EveryFaultPoint.class));
        Method check = check(context, wanted.timesApplied());
        if (Deployment.members(context) != 1) {
            throw new ExtensionConfigurationException(
                    "@EveryFaultPoint works on one server: it cannot be used with @SemelTest(members = ...)");
        }
        SharedServer shared = SharedServer.of(context);
        Object instance = newInstance(context.getRequiredTestClass());
        try {
            return Audit.of(uri -> shared.audited(uri, () -> invoke(context, operation, instance)))
                    .named(operation.getName())
                    .invariant(uri -> shared.audited(uri, () -> times(invoke(context, check, instance))))
                    .target(shared.server().getConnectionString())
                    .faults(wanted.faults().length == 0 ? Kind.values() : wanted.faults())
                    .parallel(RUNS_AT_ONCE)
                    .run();
        } catch (AuditException e) {
            throw new ExtensionConfigurationException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExtensionConfigurationException("interrupted", e);
        }
    }

    /** A nested class is made within an instance of the one around it. */
    private static Object newInstance(Class<?> type) {
        return AnnotationSupport.isAnnotated(type, Nested.class)
                ? ReflectionSupport.newInstance(type, newInstance(type.getEnclosingClass()))
                : ReflectionSupport.newInstance(type);
    }

    private static @Nullable Object invoke(ExtensionContext context, Method method, Object instance) {
        return context.getExecutableInvoker().invoke(method, instance);
    }

    private static long times(@Nullable Object found) {
        if (found instanceof Number number) {
            if (number.doubleValue() != number.longValue()) {
                throw new PartlyApplied("timesApplied gives " + number);
            }
            return number.longValue();
        }
        throw new IllegalStateException("timesApplied must give a number, not " + found);
    }

    private static Method check(ExtensionContext context, String name) {
        List<Method> found = ReflectionSupport.findMethods(
                context.getRequiredTestClass(),
                method -> method.getName().equals(name),
                HierarchyTraversalMode.BOTTOM_UP);
        if (found.size() != 1) {
            throw new ExtensionConfigurationException("there must be one method '" + name + "' that says how often the"
                    + " effect is there; there are " + found.size());
        }
        return found.getFirst();
    }

    /** One finding as a test: the run has been, so that the method is not called again. */
    private record Invocation(Finding finding) implements TestTemplateInvocationContext {
        @Override
        public String getDisplayName(int index) {
            return finding.point().toString();
        }

        @Override
        public List<Extension> getAdditionalExtensions() {
            return List.of(new InvocationInterceptor() {
                @Override
                public void interceptTestTemplateMethod(
                        InvocationInterceptor.Invocation<Void> call,
                        ReflectiveInvocationContext<Method> method,
                        ExtensionContext context) {
                    call.skip();
                    if (finding.verdict() != Verdict.CORRECT) {
                        throw new AssertionError(finding.verdict().label() + ": " + finding.advice());
                    }
                }
            });
        }
    }
}
