package dev.semel.driver;

import dev.semel.driver.error.MongoCommandException;

/** For operations that ignore the error "namespace not found". */
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
