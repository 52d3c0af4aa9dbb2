package dev.semel.driver.setting;

/** The full name of a collection. */
public record MongoNamespace(String databaseName, String collectionName) {
    public MongoNamespace {
        checkDatabaseName(databaseName);
        if (collectionName.isEmpty()) {
            throw new IllegalArgumentException("The collection name is empty");
        }
    }

    /** Parses a full name, {@code database.collection}. */
    public MongoNamespace(String fullName) {
        this(fullName.substring(0, dot(fullName)), fullName.substring(dot(fullName) + 1));
    }

    private static int dot(String fullName) {
        int dot = fullName.indexOf('.');
        if (dot < 0) {
            throw new IllegalArgumentException(
                    "'" + fullName + "' is not a database and a collection with a dot between");
        }
        return dot;
    }

    public static void checkDatabaseName(String name) {
        if (name.isEmpty() || name.chars().anyMatch(each -> "\0/\\ .\"".indexOf(each) >= 0)) {
            throw new IllegalArgumentException(
                    "The database name '" + name + "' is empty or contains a character it must not");
        }
    }

    public String getFullName() {
        return databaseName + "." + collectionName;
    }

    public String getDatabaseName() {
        return databaseName;
    }

    public String getCollectionName() {
        return collectionName;
    }

    @Override
    public String toString() {
        return getFullName();
    }
}
