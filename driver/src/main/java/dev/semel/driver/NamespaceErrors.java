package dev.semel.driver;

import dev.semel.driver.error.MongoCommandException;

/** For operations to whose end it makes no difference that there is no such collection. */
final class NamespaceErrors {
    private static final int NAMESPACE_NOT_FOUND = 26;

    private NamespaceErrors() {}

    static boolean isNotFound(MongoCommandException e) {
        return e.getCode() == NAMESPACE_NOT_FOUND;
    }

    static void ignoring(Runnable operation) {
        try {
            operation.run();
        } catch (MongoCommandException e) {
            if (!isNotFound(e)) {
                throw e;
            }
        }
    }
}
