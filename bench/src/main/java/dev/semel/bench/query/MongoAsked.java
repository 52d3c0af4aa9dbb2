package dev.semel.bench.query;

import com.mongodb.MongoException;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Indexes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.bson.Document;

/** Any server of MongoDB's protocol, through the official driver. */
final class MongoAsked implements Asked {
    private static final int LOAD_BATCH = 1000;

    private final String name;
    private final MongoClient client;
    private final MongoCollection<Document> things;
    private final MongoCollection<Document> others;
    private final Set<Question> answered = EnumSet.allOf(Question.class);

    MongoAsked(String name, String uri) {
        this.name = name;
        client = MongoClients.create(uri);
        things = client.getDatabase("queries").getCollection("things");
        others = client.getDatabase("queries").getCollection("others");
    }

    @Override
    public void prepare(Things all) {
        things.drop();
        others.drop();
        for (int first = 0; first < all.count(); first += LOAD_BATCH) {
            List<Document> batch = new ArrayList<>();
            for (int id = first; id < Math.min(first + LOAD_BATCH, all.count()); id++) {
                batch.add(document(all.thing(id)));
            }
            things.insertMany(batch);
        }
        for (int first = 0; first < all.others(); first += LOAD_BATCH) {
            List<Document> batch = new ArrayList<>();
            for (int id = first; id < Math.min(first + LOAD_BATCH, all.others()); id++) {
                batch.add(new Document("_id", id).append("name", "other " + id));
            }
            others.insertMany(batch);
        }
        things.createIndex(Indexes.ascending("g", "v"));
        without(() -> things.createIndex(Indexes.text("t")), Question.WORD, Question.BEST);
        without(() -> things.createIndex(Indexes.geo2d("p")), Question.NEAR);
        for (Question each : Question.values()) {
            without(() -> ask(each, 1), each);
        }
    }

    private void without(Runnable attempt, Question... questions) {
        try {
            attempt.run();
        } catch (MongoException refused) {
            System.err.printf("%s does not answer %s: %s%n", name, List.of(questions), refused.getMessage());
            answered.removeAll(List.of(questions));
        }
    }

    private static Document document(Things.Thing thing) {
        return new Document("_id", thing.id())
                .append("g", thing.g())
                .append("v", thing.v())
                .append("w", thing.w())
                .append("n", thing.n())
                .append("p", List.of(thing.x(), thing.y()))
                .append("t", thing.text());
    }

    @Override
    public boolean answers(Question question) {
        return answered.contains(question);
    }

    @Override
    public long ask(Question question, int about) {
        Document group = new Document("g", about % Things.GROUPS);
        return switch (question) {
            case LOOKUP ->
                aggregate(
                        new Document("$match", group),
                        new Document(
                                "$lookup",
                                new Document("from", "others")
                                        .append("localField", "n")
                                        .append("foreignField", "_id")
                                        .append("as", "other")));
            case TOP ->
                aggregate(
                        new Document("$match", group),
                        new Document("$sort", new Document("w", -1)),
                        new Document("$limit", 10));
            case WINDOWS ->
                aggregate(
                        new Document("$match", group),
                        new Document(
                                "$setWindowFields",
                                new Document("sortBy", new Document("v", 1))
                                        .append(
                                                "output",
                                                new Document(
                                                        "sum",
                                                        new Document("$sum", "$w")
                                                                .append(
                                                                        "window",
                                                                        new Document(
                                                                                "documents",
                                                                                List.of("unbounded", "current")))))));
            case WORD ->
                find(text(Things.word(about))).limit(10).into(new ArrayList<>()).size();
            case BEST -> {
                Document score = new Document("score", new Document("$meta", "textScore"));
                yield find(text(Things.word(about) + " " + Things.word(about + 1)))
                        .projection(score)
                        .sort(score)
                        .limit(10)
                        .into(new ArrayList<>())
                        .size();
            }
            case NEAR -> {
                List<Double> place = List.of(about % 340 - 170.0, about % 330 - 165.0);
                yield find(new Document("p", new Document("$near", place)))
                        .limit(10)
                        .into(new ArrayList<>())
                        .size();
            }
            case COUNT -> things.countDocuments(group);
            case DISTINCT ->
                things.distinct("g", Integer.class).into(new ArrayList<>()).size();
        };
    }

    private static Document text(String search) {
        return new Document("$text", new Document("$search", search));
    }

    private FindIterable<Document> find(Document filter) {
        return things.find(filter);
    }

    private long aggregate(Document... stages) {
        return things.aggregate(List.of(stages)).into(new ArrayList<>()).size();
    }

    @Override
    public void close() {
        client.close();
    }
}
