package dev.semel.spring;

import dev.semel.server.Server;
import dev.semel.server.ServerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Starts a server for a context and ends it with the context. A record, because Spring shares a context among tests whose
 * customizers are equal.
 */
record SemelContextCustomizer() implements ContextCustomizer {
    private static final String BEAN = "semelServer";

    /** Set to {@code false} to have a test look for its database where the application does. */
    private static final String ENABLED = "semel.enabled";

    @Override
    public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
        if (!context.getEnvironment().getProperty(ENABLED, Boolean.class, true)) {
            return;
        }
        Server server = start();
        String uri = SemelConnection.uri(server);
        // For what reads the properties itself: the first is Spring Boot 3's, the second Spring Boot 4's.
        context.getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "semel", Map.of("spring.data.mongodb.uri", uri, "spring.mongodb.uri", uri)));
        context.getBeanFactory().registerSingleton(BEAN, server);
        if (context.getBeanFactory() instanceof DefaultSingletonBeanRegistry beans) {
            beans.registerDisposableBean(BEAN, server::close);
        }
    }

    private static Server start() {
        try {
            return Server.start(ServerOptions.memory());
        } catch (IOException e) {
            throw new UncheckedIOException("Semel does not start: " + e.getMessage(), e);
        }
    }
}
