package dev.semel.server.command;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import dev.semel.wire.bson.Text;
import dev.semel.wire.bson.Value;
import java.util.ArrayList;
import java.util.List;

/** Which collections a command names, before it is understood. */
final class Namespaces {
    private Namespaces() {}

    /** As {@code db.collection}; none for a command on a database or on the server. */
    static List<String> of(Call call) {
        RawDocument command = call.command();
        String name = call.spec().name();
        if (name.equals("bulkWrite")) {
            return ofBulkWrite(call.arguments());
        }
        ElementCursor first = command.cursor();
        Value collection = name.equals("getMore") ? command.get("collection") : first.next() ? first.value() : null;
        return collection instanceof Value.Str(Text text) ? List.of(call.database() + "." + text) : List.of();
    }

    private static List<String> ofBulkWrite(Arguments in) {
        List<String> names = new ArrayList<>();
        for (RawDocument each : in.documents("nsInfo")) {
            if (each.get("ns") instanceof Value.Str(Text text)) {
                names.add(text.toString());
            }
        }
        return names;
    }
}
