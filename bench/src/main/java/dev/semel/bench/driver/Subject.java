package dev.semel.bench.driver;

import java.util.List;
import org.bson.Document;

/** A driver at work on one collection. */
interface Subject extends AutoCloseable {
    String name();

    void drop();

    /** Adds to what is read. */
    void load(List<Document> documents);

    /** Into a collection that nothing reads, as below. */
    void insertOne(Document document);

    void insertMany(List<Document> documents);

    /** Reads the document and says whether there is one. */
    boolean findId(int id);

    /** Reads everything and says how many there were. */
    int readAll();

    @Override
    void close();
}
