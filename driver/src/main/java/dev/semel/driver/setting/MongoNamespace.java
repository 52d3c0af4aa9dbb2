package dev.semel.driver.setting;

/** A collection in a database. */
public record MongoNamespace(String databaseName, String collectionName) {
    public MongoNamespace {
        checkDatabaseName(databaseName);
        if (collectionName.isEmpty()) {
            throw new IllegalArgumentException("The collection name is empty");
        }
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
