package dev.semel.server.reference;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** Pipelines, each stage from a list of documents to a list of documents. */
record Stages(Order order, Map<String, List<BsonDocument>> collections) {
    List<BsonDocument> run(List<BsonDocument> pipeline, List<BsonDocument> documents) {
        List<BsonDocument> result = documents;
        for (BsonDocument stage : pipeline) {
            List<BsonDocument> copies = result.stream().map(BsonDocument::clone).toList();
            result = stage(stage.getFirstKey(), Fields.first(stage), copies);
        }
        return result;
    }

    private List<BsonDocument> stage(String name, BsonValue argument, List<BsonDocument> documents) {
        Projection projection = new Projection(new Expressions(order));
        return switch (name) {
            case "$match" ->
                documents.stream()
                        .filter(each -> new Match(order).matches(argument.asDocument(), each))
                        .toList();
            case "$project" ->
                documents.stream()
                        .map(each -> projection.project(argument.asDocument(), each))
                        .toList();
            case "$addFields", "$set" ->
                documents.stream()
                        .map(each -> projection.addFields(argument.asDocument(), each))
                        .toList();
            case "$unset" ->
                documents.stream()
                        .map(each -> projection.project(
                                new BsonDocument(argument.asString().getValue(), new BsonInt32(0)), each))
                        .toList();
            case "$sort" -> new Sorting(argument.asDocument(), order).sorted(documents);
            case "$skip" ->
                documents.stream().skip(argument.asInt32().getValue()).toList();
            case "$limit" ->
                documents.stream().limit(argument.asInt32().getValue()).toList();
            case "$unwind" -> unwind(argument.asDocument(), documents);
            case "$group" -> group(argument.asDocument(), documents);
            case "$lookup" -> lookup(argument.asDocument(), documents);
            case "$unionWith" -> {
                List<BsonDocument> all = new ArrayList<>(documents);
                all.addAll(run(
                        argument.asDocument().getArray("pipeline").stream()
                                .map(BsonValue::asDocument)
                                .toList(),
                        collection(argument.asDocument().getString("coll"))));
                yield all;
            }
            case "$setWindowFields" -> new Windows(order).run(argument.asDocument(), documents);
            case "$count" ->
                documents.isEmpty()
                        ? List.of()
                        : List.of(new BsonDocument(argument.asString().getValue(), new BsonInt32(documents.size())));
            case "$replaceWith" ->
                documents.stream()
                        .map(each -> new Expressions(order).evaluate(argument, each))
                        .map(each -> {
                            if (each instanceof BsonDocument document) {
                                return document;
                            }
                            throw new Refused();
                        })
                        .toList();
            default -> throw new AssertionError(name);
        };
    }

    private List<BsonDocument> collection(BsonString name) {
        return Objects.requireNonNull(collections.get(name.getValue()), name::getValue);
    }

    private static List<BsonDocument> unwind(BsonDocument argument, List<BsonDocument> documents) {
        List<String> path =
                List.of(argument.getString("path").getValue().substring(1).split("\\."));
        boolean preserves = argument.containsKey("preserveNullAndEmptyArrays");
        String index =
                argument.getString("includeArrayIndex", new BsonString("")).getValue();
        List<BsonDocument> result = new ArrayList<>();
        for (BsonDocument document : documents) {
            BsonValue value = document;
            for (String name : path) {
                value = value instanceof BsonDocument inner ? inner.get(name) : null;
            }
            if (value instanceof BsonArray array && !array.isEmpty()) {
                for (int i = 0; i < array.size(); i++) {
                    BsonDocument each = document.clone();
                    Projection.set(each, path, array.get(i));
                    number(each, index, new BsonInt64(i));
                    result.add(each);
                }
            } else if (value != null && !value.isNull() && !value.isArray()) {
                number(document, index, BsonNull.VALUE);
                result.add(document);
            } else if (preserves) {
                if (value instanceof BsonArray) {
                    Projection.set(document, path, null);
                }
                number(document, index, BsonNull.VALUE);
                result.add(document);
            }
        }
        return result;
    }

    private static void number(BsonDocument document, String field, BsonValue index) {
        if (!field.isEmpty()) {
            document.put(field, index);
        }
    }

    /** A group for each different value of the key; missing and null are one. */
    private List<BsonDocument> group(BsonDocument argument, List<BsonDocument> documents) {
        Expressions expressions = new Expressions(order);
        TreeMap<BsonValue, List<BsonDocument>> groups = new TreeMap<>(order);
        for (BsonDocument each : documents) {
            BsonValue key = Expressions.orNull(expressions.evaluate(Fields.of(argument, "_id"), each));
            groups.computeIfAbsent(key, same -> new ArrayList<>()).add(each);
        }
        List<BsonDocument> result = new ArrayList<>();
        groups.forEach((key, members) -> {
            BsonDocument group = new BsonDocument("_id", key);
            argument.forEach((name, call) -> {
                if (!name.equals("_id")) {
                    group.put(name, new Accumulators(expressions).of(call.asDocument(), members));
                }
            });
            result.add(group);
        });
        return result;
    }

    private List<BsonDocument> lookup(BsonDocument argument, List<BsonDocument> documents) {
        for (BsonDocument each : documents) {
            Map<String, BsonValue> variables = variables(argument.getDocument("let", new BsonDocument()), each);
            List<BsonDocument> pipeline = argument.getArray("pipeline", new BsonArray()).stream()
                    .map(stage -> withVariables(stage, variables).asDocument())
                    .toList();
            each.put(argument.getString("as").getValue(), new BsonArray(run(pipeline, equal(argument, each))));
        }
        return documents;
    }

    /** All of them, whether they are used or not: one that cannot be computed is refused. */
    private Map<String, BsonValue> variables(BsonDocument let, BsonDocument document) {
        Map<String, BsonValue> variables = new HashMap<>();
        let.forEach((name, written) -> {
            BsonValue value = new Expressions(order).evaluate(written, document);
            variables.put(
                    "$$" + name, value == null ? new BsonString("$nothing") : new BsonDocument("$literal", value));
        });
        return variables;
    }

    /** What is written in a pipeline, with the values of variables in their places. */
    private BsonValue withVariables(BsonValue written, Map<String, BsonValue> variables) {
        return switch (written) {
            case BsonString text -> variables.getOrDefault(text.getValue(), text);
            case BsonArray array -> {
                BsonArray result = new BsonArray();
                array.forEach(each -> result.add(withVariables(each, variables)));
                yield result;
            }
            case BsonDocument inner -> {
                BsonDocument result = new BsonDocument();
                inner.forEach((name, value) -> result.put(name, withVariables(value, variables)));
                yield result;
            }
            default -> written;
        };
    }

    /** Each element of a local array is looked up; a missing field is null, and so is an empty array. */
    private List<BsonDocument> equal(BsonDocument argument, BsonDocument document) {
        List<BsonDocument> foreign = collection(argument.getString("from"));
        if (!argument.containsKey("localField")) {
            return foreign;
        }
        BsonString local = new BsonString("$" + argument.getString("localField").getValue());
        BsonValue value = Expressions.orNull(new Expressions(order).evaluate(local, document));
        BsonValue one = value.isArray() ? BsonNull.VALUE : value;
        BsonArray wanted = value instanceof BsonArray array && !array.isEmpty() ? array : new BsonArray(List.of(one));
        BsonDocument filter =
                new BsonDocument(argument.getString("foreignField").getValue(), new BsonDocument("$in", wanted));
        return foreign.stream()
                .filter(other -> new Match(order).matches(filter, other))
                .toList();
    }
}
