package dev.semel.junit;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** What the databases of tests are on: one server, or a set of several. */
interface Deployment {
    /** What the test, or the class around it, asks for. */
    static Deployment of(ExtensionContext context) {
        int members = members(context);
        return members == 1 ? SharedServer.of(context) : SharedSet.of(context, members);
    }

    static int members(ExtensionContext context) {
        return context.getElement()
                .flatMap(element -> AnnotationSupport.findAnnotation(element, SemelTest.class))
                .map(SemelTest::members)
                .orElseGet(() -> context.getParent().map(Deployment::members).orElse(1));
    }

    /** Without a database. */
    String connectionString();

    default String connectionString(String database) {
        return connectionString().replace("/?", "/" + database + "?");
    }

    /** The name of a database that no other test has. */
    String newDatabase();

    void drop(String database);
}
