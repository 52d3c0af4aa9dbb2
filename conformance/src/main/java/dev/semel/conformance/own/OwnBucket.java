package dev.semel.conformance.own;

import static dev.semel.conformance.adapter.Options.option;

import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import dev.semel.driver.MongoDatabase;
import dev.semel.driver.gridfs.GridFSBucket;
import dev.semel.driver.gridfs.GridFSBuckets;
import dev.semel.driver.gridfs.GridFSDownloadOptions;
import dev.semel.driver.gridfs.GridFSFile;
import dev.semel.driver.gridfs.GridFSUploadOptions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;

/** A GridFS bucket entity. */
record OwnBucket(GridFSBucket whole) implements Driven {
    private static final Options<GridFSUploadOptions> UPLOAD = Options.of(
            option("chunkSizeBytes", (o, v) -> o.chunkSizeBytes(Values.number(v))),
            option("metadata", (o, v) -> o.metadata(new Document(v.asDocument()))),
            // The driver writes no checksum in any case.
            option("disableMD5", (o, v) -> {}));

    static OwnBucket of(MongoDatabase database, BsonDocument options) {
        String name = options.getString("bucketName", new BsonString("fs")).getValue();
        GridFSBucket bucket = GridFSBuckets.create(database, name);
        for (var each : options.entrySet()) {
            BsonValue value = each.getValue();
            bucket = switch (each.getKey()) {
                case "bucketName" -> bucket;
                case "chunkSizeBytes" -> bucket.withChunkSizeBytes(Values.number(value));
                case "readConcern" -> bucket.withReadConcern(Concerns.readConcern(value));
                case "writeConcern" -> bucket.withWriteConcern(Concerns.writeConcern(value));
                case "readPreference" -> bucket.withReadPreference(Concerns.readPreference(value));
                case "timeoutMS" -> bucket.withTimeout(Values.millis(value));
                default -> throw new Unsupported("bucketOptions." + each.getKey());
            };
        }
        return new OwnBucket(bucket);
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        GridFSBucket bucket = timeout == null ? whole : whole.withTimeout(Values.millis(timeout));
        switch (operation) {
            case "upload" -> {
                GridFSUploadOptions options = UPLOAD.apply(
                        operation, new GridFSUploadOptions(), arguments, "filename", "source", "timeoutMS");
                byte[] source = arguments.get("source").asBinary().getData();
                return Values.result(new BsonObjectId(bucket.uploadFromStream(
                        arguments.string("filename"), new ByteArrayInputStream(source), options)));
            }
            case "download" -> {
                Options.none(operation, arguments, "id", "timeoutMS");
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                bucket.downloadToStream(arguments.get("id"), out);
                return Values.result(new BsonBinary(out.toByteArray()));
            }
            case "downloadByName" -> {
                Options.none(operation, arguments, "filename", "revision", "timeoutMS");
                GridFSDownloadOptions options = new GridFSDownloadOptions();
                BsonValue revision = arguments.find("revision");
                if (revision != null) {
                    options.revision(Values.number(revision));
                }
                ByteArrayOutputStream out = new ByteArrayOutputStream();
                bucket.downloadToStream(arguments.string("filename"), out, options);
                return Values.result(new BsonBinary(out.toByteArray()));
            }
            case "find" -> {
                Options.none(operation, arguments, "filter", "timeoutMS");
                BsonArray files = new BsonArray();
                bucket.find(arguments.document("filter")).forEach(each -> files.add(file(each)));
                return new Driven.Result(files);
            }
            case "delete" -> {
                Options.none(operation, arguments, "id", "timeoutMS");
                bucket.delete(arguments.get("id"));
            }
            case "rename" -> {
                Options.none(operation, arguments, "id", "newFilename", "timeoutMS");
                bucket.rename(arguments.get("id"), arguments.string("newFilename"));
            }
            case "deleteByName" -> {
                Options.none(operation, arguments, "filename", "timeoutMS");
                bucket.deleteByName(arguments.string("filename"));
            }
            case "renameByName" -> {
                Options.none(operation, arguments, "filename", "newFilename", "timeoutMS");
                bucket.renameByName(arguments.string("filename"), arguments.string("newFilename"));
            }
            case "drop" -> {
                Options.none(operation, arguments, "timeoutMS");
                bucket.drop();
            }
            default -> throw new Unsupported("bucket." + operation);
        }
        return Outcome.NONE;
    }

    private static BsonDocument file(GridFSFile file) {
        return new BsonDocument("_id", file.getId())
                .append("filename", new BsonString(file.getFilename()))
                .append("length", new BsonInt64(file.getLength()));
    }
}
