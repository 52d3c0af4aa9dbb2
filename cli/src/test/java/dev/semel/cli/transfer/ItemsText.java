package dev.semel.cli.transfer;

import dev.semel.wire.bson.RawDocument;
import java.io.IOException;
import java.util.function.Function;

/** What a file holds, a line per document or complaint. */
final class ItemsText {
    private ItemsText() {}

    static String of(Items items, Function<RawDocument, String> form) throws IOException {
        var text = new StringBuilder();
        boolean more = true;
        while (more) {
            try {
                var item = items.next();
                more = item != null;
                if (item != null) {
                    text.append(item.line())
                            .append(": ")
                            .append(form.apply(item.document()))
                            .append('\n');
                }
            } catch (BadItem e) {
                text.append(e.line()).append(" is bad: ").append(e.getMessage()).append('\n');
                more = !e.isLast();
            }
        }
        return text.toString().stripTrailing();
    }
}
