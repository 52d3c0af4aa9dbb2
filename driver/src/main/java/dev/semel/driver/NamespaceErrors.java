package dev.semel.driver;

import dev.semel.driver.error.MongoCommandException;

/** For operations to whose end it makes no difference that there is no such collection. */
final class NamespaceErrors {
    private static final int NAMESPACE_NOT_FOUND = 26;

    private NamespaceErrors() {}

    static void ignoring(Runnable operation) {
        try {
            operation.run();
        } catch (MongoCommandException e) {
            if (e.getCode() != NAMESPACE_NOT_FOUND) {
                throw e;
            }
        }
    }
}
