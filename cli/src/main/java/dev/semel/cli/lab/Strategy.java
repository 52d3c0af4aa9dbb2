package dev.semel.cli.lab;

import dev.semel.driver.MongoClient;
import dev.semel.driver.MongoCollection;
import org.bson.Document;

/**
 * A way to count to one.
 *
 * @param code as a programmer would write it
 * @param says what it hopes for
 * @param options of the connection string, each with a leading {@code &}
 */
record Strategy(String name, String code, String says, String options, Work work) {
    /** What the strategy does with a day, a filter by {@code _id}, in the collection of days. */
    @FunctionalInterface
    interface Work {
        void run(MongoClient client, MongoCollection<Document> days, Document day);
    }
}
