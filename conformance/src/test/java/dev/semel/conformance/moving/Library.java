package dev.semel.conformance.moving;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.gte;
import static com.mongodb.client.model.Filters.in;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Sorts.descending;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.push;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.ClientSessionOptions;
import com.mongodb.ConnectionString;
import com.mongodb.ErrorCategory;
import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoNamespace;
import com.mongodb.MongoWriteException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.TransactionBody;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSFile;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import com.mongodb.client.model.Accumulators;
import com.mongodb.client.model.Aggregates;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CollationStrength;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.DeleteManyModel;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.Field;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.InsertManyOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.ValidationAction;
import com.mongodb.client.model.ValidationLevel;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.FullDocument;
import com.mongodb.client.model.changestream.OperationType;
import com.mongodb.client.result.DeleteResult;
import com.mongodb.client.result.InsertManyResult;
import com.mongodb.client.result.InsertOneResult;
import com.mongodb.client.result.UpdateResult;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.types.ObjectId;

/** A small application: what a library does in a day, and a record of it. */
public final class Library implements Function<String, List<String>> {
    private final List<String> diary = new ArrayList<>();

    /** A reader, as a Java record. */
    public record Reader(@BsonId int id, String name, List<String> loans) {}

    /** A shelf, as a bean. */
    public static final class Shelf {
        private ObjectId id = new ObjectId();
        private String room = "";
        private int books;

        public ObjectId getId() {
            return id;
        }

        public void setId(ObjectId value) {
            id = value;
        }

        public String getRoom() {
            return room;
        }

        public void setRoom(String value) {
            room = value;
        }

        public int getBooks() {
            return books;
        }

        public void setBooks(int value) {
            books = value;
        }
    }

    @Override
    public List<String> apply(String uri) {
        AtomicInteger inserts = new AtomicInteger();
        MongoClientSettings settings = MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(20, TimeUnit.SECONDS))
                .applyToConnectionPoolSettings(
                        pool -> pool.maxSize(5).minSize(0).maxWaitTime(20, TimeUnit.SECONDS))
                .applyToSocketSettings(sockets -> sockets.connectTimeout(5, TimeUnit.SECONDS))
                .applyToServerSettings(servers -> servers.heartbeatFrequency(5, TimeUnit.SECONDS))
                .applyToSslSettings(ssl -> ssl.enabled(false))
                .retryWrites(true)
                .applicationName("library")
                .writeConcern(WriteConcern.MAJORITY.withWTimeout(10, TimeUnit.SECONDS))
                .readConcern(ReadConcern.MAJORITY)
                .codecRegistry(CodecRegistries.fromRegistries(
                        MongoClientSettings.getDefaultCodecRegistry(),
                        CodecRegistries.fromProviders(
                                PojoCodecProvider.builder().automatic(true).build())))
                .addCommandListener(new CommandListener() {
                    @Override
                    public void commandStarted(CommandStartedEvent event) {
                        if (event.getCommandName().equals("insert")) {
                            inserts.incrementAndGet();
                        }
                    }
                })
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            MongoDatabase database = client.getDatabase("library");
            database.drop();
            catalogue(database);
            queries(database.getCollection("books"));
            changes(database.getCollection("books"));
            bulk(database.getCollection("books"));
            statistics(database.getCollection("books"));
            readers(database);
            loans(client, database);
            news(database.getCollection("books"));
            files(database);
            failures(database);
            note("insert commands", inserts.get() > 0);
        }
        return diary;
    }

    private void note(String what, Object result) {
        diary.add(what + ": " + result);
    }

    private static Document book(int id, String title, int year, String... topics) {
        return new Document("_id", id)
                .append("title", title)
                .append("year", year)
                .append("topics", List.of(topics));
    }

    private void catalogue(MongoDatabase database) {
        database.createCollection(
                "books",
                new CreateCollectionOptions()
                        .validationOptions(new ValidationOptions()
                                .validator(Filters.exists("title"))
                                .validationLevel(ValidationLevel.STRICT)
                                .validationAction(ValidationAction.ERROR)));
        MongoCollection<Document> books = database.getCollection("books").withReadPreference(ReadPreference.primary());
        note("index", books.createIndex(Indexes.compoundIndex(Indexes.ascending("year"), Indexes.descending("title"))));
        note(
                "indexes",
                books.createIndexes(List.of(
                        new IndexModel(
                                Indexes.ascending("title"),
                                new IndexOptions().unique(true).name("byTitle")),
                        new IndexModel(
                                Indexes.ascending("lent"), new IndexOptions().expireAfter(90L, TimeUnit.DAYS)))));
        InsertOneResult one = books.insertOne(book(1, "Emma", 1815, "england"));
        note("inserted", Objects.requireNonNull(one.getInsertedId()).asInt32().getValue());
        InsertManyResult many = books.insertMany(
                List.of(
                        book(2, "Faust", 1808, "germany", "devil"),
                        book(3, "Ulysses", 1922, "ireland"),
                        book(4, "Momo", 1973, "germany", "time")),
                new InsertManyOptions().ordered(true));
        note("inserted many", many.getInsertedIds().size());
        for (Document each : books.listIndexes()) {
            note("has index", each.getString("name"));
        }
        note("collections", database.listCollectionNames().into(new ArrayList<>()));
        note("namespace", books.getNamespace().equals(new MongoNamespace("library", "books")));
    }

    private void queries(MongoCollection<Document> books) {
        note(
                "first",
                Objects.requireNonNull(books.find(eq("title", "Emma")).first()).getInteger("year"));
        FindIterable<Document> modern = books.find(and(gte("year", 1815), lt("year", 1950)))
                .projection(Projections.fields(Projections.include("title"), Projections.excludeId()))
                .sort(descending("year"))
                .limit(10)
                .batchSize(1);
        try (MongoCursor<Document> cursor = modern.iterator()) {
            while (cursor.hasNext()) {
                note("modern", cursor.next().toJson());
            }
        }
        note(
                "titles",
                books.find(in("topics", "germany", "time"))
                        .sort(Sorts.ascending("_id"))
                        .map(each -> each.getString("title"))
                        .into(new ArrayList<>()));
        Collation caseless = Collation.builder()
                .locale("en")
                .collationStrength(CollationStrength.SECONDARY)
                .build();
        note(
                "caseless",
                books.find(eq("title", "EMMA"))
                        .collation(caseless)
                        .into(new ArrayList<>())
                        .size());
        note("count", books.countDocuments(gte("year", 1900)));
        note(
                "limited count",
                books.countDocuments(gte("year", 0), new CountOptions().limit(2).maxTime(5, TimeUnit.SECONDS)));
        note("estimate", books.estimatedDocumentCount());
        note("distinct", books.distinct("topics", String.class).into(new ArrayList<>()));
    }

    private void changes(MongoCollection<Document> books) {
        UpdateResult result = books.updateOne(eq("_id", 1), combine(set("copies", 2), push("topics", "love")));
        note("updated", result.getMatchedCount() + "/" + result.getModifiedCount());
        result = books.updateMany(Filters.exists("copies", false), inc("copies", 1));
        note("updated many", result.getModifiedCount());
        result = books.updateOne(eq("_id", 9), set("title", "Nine"), new UpdateOptions().upsert(true));
        note(
                "upserted",
                Objects.requireNonNull(result.getUpsertedId()).asInt32().getValue());
        result = books.replaceOne(eq("_id", 9), book(9, "Neun", 2000), new ReplaceOptions().upsert(false));
        note("replaced", result.wasAcknowledged());
        Document after = books.findOneAndUpdate(
                eq("_id", 9),
                Updates.mul("year", 2),
                new FindOneAndUpdateOptions()
                        .returnDocument(ReturnDocument.AFTER)
                        .sort(Sorts.ascending("_id")));
        note("after", Objects.requireNonNull(after).getInteger("year"));
        note(
                "pipeline",
                books.updateOne(eq("_id", 9), List.of(Aggregates.set(new Field<>("twice", "$year"))))
                        .getModifiedCount());
        DeleteResult deleted = books.deleteOne(eq("_id", 9));
        note("deleted", deleted.getDeletedCount());
        note("nothing", books.findOneAndDelete(eq("_id", 9)) == null);
    }

    private void bulk(MongoCollection<Document> books) {
        List<WriteModel<Document>> writes = new ArrayList<>();
        writes.add(new InsertOneModel<>(book(10, "Ten", 1910)));
        writes.add(new UpdateOneModel<>(eq("_id", 10), set("copies", 3)));
        writes.add(new UpdateOneModel<>(eq("_id", 11), set("title", "Eleven"), new UpdateOptions().upsert(true)));
        writes.add(new UpdateManyModel<>(gte("_id", 10), inc("copies", 1)));
        writes.add(new ReplaceOneModel<>(eq("_id", 10), book(10, "Zehn", 1910)));
        writes.add(new DeleteOneModel<>(eq("_id", 11)));
        writes.add(new DeleteManyModel<>(gte("_id", 100)));
        BulkWriteResult result = books.bulkWrite(writes, new BulkWriteOptions().ordered(true));
        note(
                "bulk",
                result.getInsertedCount() + " " + result.getMatchedCount() + " " + result.getModifiedCount() + " "
                        + result.getDeletedCount() + " "
                        + result.getUpserts().getFirst().getIndex() + " "
                        + result.getUpserts().getFirst().getId().asInt32().getValue());
    }

    private void statistics(MongoCollection<Document> books) {
        books.aggregate(List.of(
                        Aggregates.match(gte("year", 1800)),
                        Aggregates.unwind("$topics"),
                        Aggregates.group("$topics", Accumulators.sum("books", 1), Accumulators.min("oldest", "$year")),
                        Aggregates.sort(Sorts.orderBy(descending("books"), Sorts.ascending("_id"))),
                        Aggregates.limit(3)))
                .allowDiskUse(true)
                .forEach(each -> note("topic", each.toJson()));
        books.aggregate(List.of(
                        Aggregates.project(Projections.computed(
                                "century", new Document("$floor", new Document("$divide", List.of("$year", 100))))),
                        Aggregates.merge("centuries")))
                .toCollection();
    }

    private void readers(MongoDatabase database) {
        MongoCollection<Reader> readers = database.getCollection("readers", Reader.class);
        readers.insertMany(List.of(new Reader(1, "Ada", List.of()), new Reader(2, "Bob", List.of("Momo"))));
        note("reader", Objects.requireNonNull(readers.find(eq("name", "Bob")).first()));
        MongoCollection<Shelf> shelves = database.getCollection("shelves", Shelf.class);
        Shelf shelf = new Shelf();
        shelf.setRoom("north");
        shelf.setBooks(12);
        shelves.insertOne(shelf);
        note(
                "shelf",
                Objects.requireNonNull(shelves.find(eq(shelf.getId())).first()).getRoom());
    }

    private void loans(MongoClient client, MongoDatabase database) {
        MongoCollection<Document> books = database.getCollection("books");
        MongoCollection<Document> loans = database.getCollection("loans");
        TransactionOptions options = TransactionOptions.builder()
                .readConcern(ReadConcern.SNAPSHOT)
                .writeConcern(WriteConcern.MAJORITY)
                .readPreference(ReadPreference.primary())
                .maxCommitTime(5L, TimeUnit.SECONDS)
                .build();
        ClientSessionOptions causal = ClientSessionOptions.builder()
                .causallyConsistent(true)
                .defaultTransactionOptions(options)
                .build();
        try (ClientSession session = client.startSession(causal)) {
            TransactionBody<String> lend = () -> {
                loans.insertOne(session, new Document("book", 4).append("reader", 2));
                books.updateOne(session, eq("_id", 4), inc("copies", -1));
                return "lent";
            };
            note("transaction", session.withTransaction(lend, options));
            session.startTransaction();
            loans.insertOne(session, new Document("book", 1));
            note("inside", loans.countDocuments(session));
            session.abortTransaction();
            note("outside", loans.countDocuments());
        }
    }

    private void news(MongoCollection<Document> books) {
        ChangeStreamIterable<Document> stream = books.watch(List.of(Aggregates.match(eq("operationType", "update"))))
                .fullDocument(FullDocument.UPDATE_LOOKUP);
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor = stream.cursor()) {
            books.updateOne(eq("_id", 2), set("copies", 7));
            ChangeStreamDocument<Document> change = cursor.next();
            note("change", change.getOperationType() == OperationType.UPDATE);
            note("change key", Objects.requireNonNull(change.getDocumentKey()).toJson());
            note(
                    "change fields",
                    Objects.requireNonNull(Objects.requireNonNull(change.getUpdateDescription())
                                    .getUpdatedFields())
                            .toJson());
            note(
                    "change document",
                    Objects.requireNonNull(change.getFullDocument()).getString("title"));
            note(
                    "change namespace",
                    Objects.requireNonNull(change.getNamespace()).getFullName());
            note("token", change.getResumeToken().equals(cursor.getResumeToken()));
        }
    }

    private void files(MongoDatabase database) {
        GridFSBucket bucket = GridFSBuckets.create(database, "covers");
        ObjectId id = bucket.uploadFromStream(
                "momo.txt",
                new ByteArrayInputStream("turtle".getBytes(StandardCharsets.UTF_8)),
                new GridFSUploadOptions().chunkSizeBytes(4).metadata(new Document("book", 4)));
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        bucket.downloadToStream(id, copy);
        note("file", copy.toString(StandardCharsets.UTF_8));
        GridFSFile file =
                Objects.requireNonNull(bucket.find(eq("metadata.book", 4)).first());
        note("length", file.getLength() + " of " + file.getFilename());
        bucket.delete(file.getObjectId());
    }

    private void failures(MongoDatabase database) {
        MongoCollection<Document> books = database.getCollection("books");
        try {
            books.insertOne(book(1, "Emma again", 1816));
        } catch (MongoWriteException e) {
            note("duplicate", e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY);
        }
        try {
            books.insertMany(List.of(book(50, "Fifty", 1950), book(1, "One", 1), book(51, "Later", 1951)));
        } catch (MongoBulkWriteException e) {
            BulkWriteError error = e.getWriteErrors().getFirst();
            note("bulk error", error.getIndex() + " " + error.getCategory());
        }
        try {
            database.runCommand(new Document("noSuchCommand", 1));
        } catch (MongoCommandException e) {
            note("command", e.getErrorCode() + " " + e.getErrorCodeName());
        }
        try {
            books.find(new Document("$nonsense", 1)).first();
        } catch (MongoException e) {
            note("query", e.getCode() + " " + e.hasErrorLabel("TransientTransactionError"));
        }
    }
}
