package dev.semel.cli.transfer;

import dev.semel.wire.bson.BsonWriter;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which document an imported one replaces: the one that agrees with it in these fields. */
record Upsert(List<String> fields) {
    RawDocument filter(Item item) throws BadItem {
        var filter = new BsonWriter();
        for (var field : fields) {
            var value = at(item.document(), field);
            if (value == null) {
                throw new BadItem(item.line(), "has no '" + field + "' to find the document to replace", false);
            }
            filter.startDocument(field).put("$eq", value).end();
        }
        return filter.finish();
    }

    private static @Nullable Value at(RawDocument document, String path) {
        int dot = path.indexOf('.');
        if (dot < 0) {
            return document.get(path);
        }
        return document.get(path.substring(0, dot)) instanceof Value.Doc(RawDocument nested)
                ? at(nested, path.substring(dot + 1))
                : null;
    }
}
