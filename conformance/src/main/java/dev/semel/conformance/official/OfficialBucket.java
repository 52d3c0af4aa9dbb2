package dev.semel.conformance.official;

import static dev.semel.conformance.adapter.Options.option;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.gridfs.GridFSBucket;
import com.mongodb.client.gridfs.GridFSBuckets;
import com.mongodb.client.gridfs.model.GridFSDownloadOptions;
import com.mongodb.client.gridfs.model.GridFSFile;
import com.mongodb.client.gridfs.model.GridFSUploadOptions;
import dev.semel.conformance.adapter.Arguments;
import dev.semel.conformance.adapter.Driven;
import dev.semel.conformance.adapter.Options;
import dev.semel.conformance.adapter.Unsupported;
import dev.semel.conformance.adapter.Values;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.TimeUnit;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.Document;

/** A GridFS bucket entity. */
record OfficialBucket(GridFSBucket whole) implements Driven {
    private static final Options<GridFSUploadOptions> UPLOAD = Options.of(
            option("chunkSizeBytes", (o, v) -> o.chunkSizeBytes(Values.number(v))),
            option("metadata", (o, v) -> o.metadata(new Document(v.asDocument()))),
            // The driver writes no checksum in any case.
            option("disableMD5", (o, v) -> {}));

    static OfficialBucket of(MongoDatabase database, BsonDocument options) {
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
                case "timeoutMS" -> bucket.withTimeout(Values.longNumber(value), TimeUnit.MILLISECONDS);
                default -> throw new Unsupported("bucketOptions." + each.getKey());
            };
        }
        return new OfficialBucket(bucket);
    }

    @Override
    public Outcome run(String operation, Arguments arguments) {
        BsonValue timeout = arguments.find("timeoutMS");
        GridFSBucket bucket =
                timeout == null ? whole : whole.withTimeout(Values.longNumber(timeout), TimeUnit.MILLISECONDS);
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
