package dev.semel.query.pipeline;

import dev.semel.query.value.NameIndex;
import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.RawDocument;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Finds some top-level fields of document after document in one walk each, without creating anything. */
final class FieldLocator {
    /** The type of a field that is not there. */
    static final byte MISSING = 0;

    private final NameIndex index;

    /** The place among the different names, for each that was asked for. */
    private final int[] places;

    private final byte[] types;
    private final int[] positions;

    FieldLocator(List<byte[]> names) {
        Map<byte[], Integer> different = new TreeMap<>(Arrays::compare);
        this.places = new int[names.size()];
        List<byte[]> wanted = new ArrayList<>();
        for (int i = 0; i < places.length; i++) {
            Integer known = different.putIfAbsent(names.get(i), wanted.size());
            places[i] = known == null ? wanted.size() : known;
            if (known == null) {
                wanted.add(names.get(i));
            }
        }
        this.index = new NameIndex(wanted);
        this.types = new byte[wanted.size()];
        this.positions = new int[wanted.size()];
    }

    void locate(RawDocument document) {
        Arrays.fill(types, MISSING);
        byte[] bytes = document.array();
        int at = document.offset() + 4;
        int end = document.offset() + document.length() - 1;
        int remaining = types.length;
        while (at < end && remaining > 0) {
            byte type = bytes[at];
            int name = at + 1;
            int nameEnd = name;
            while (bytes[nameEnd] != 0) {
                nameEnd++;
            }
            int place = index.placeOf(bytes, name, nameEnd);
            if (place >= 0 && types[place] == MISSING) {
                types[place] = type;
                positions[place] = nameEnd + 1;
                remaining--;
            }
            at = nameEnd + 1 + ElementCursor.valueLength(bytes, type, nameEnd + 1);
        }
    }

    byte type(int field) {
        return types[places[field]];
    }

    int position(int field) {
        return positions[places[field]];
    }
}
