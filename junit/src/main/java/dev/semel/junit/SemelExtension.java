package dev.semel.junit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Resolves the parameters of tests, and closes what was created for a test when the test ends. */
final class SemelExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(SemelExtension.class);

    /** For JUnit. */
    SemelExtension() {}

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Injection.knows(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Deployment deployment = Deployment.of(context);
        return Injection.of(parameter.getParameter().getType(), database(deployment, context), deployment);
    }

    private static TestDatabase database(Deployment deployment, ExtensionContext context) {
        TestDatabase audited = deployment instanceof SharedServer shared ? shared.audited() : null;
        return audited != null
                ? audited
                : context.getStore(NAMESPACE)
                        .getOrComputeIfAbsent(
                                TestDatabase.class,
                                type -> TestDatabase.on(deployment, faults(context)),
                                TestDatabase.class);
    }

    private static @Nullable Faults faults(ExtensionContext context) {
        return context.getElement()
                .flatMap(element -> AnnotationSupport.findAnnotation(element, Faults.class))
                .or(() -> context.getTestClass().flatMap(type -> AnnotationSupport.findAnnotation(type, Faults.class)))
                .orElse(null);
    }
}
