package dev.semel.query.value;

import dev.semel.wire.bson.ElementCursor;
import dev.semel.wire.bson.LittleEndian;

/**
 * The walk behind {@link DottedPath#find}, on bytes and without creating anything.
 *
 * <p>An element that is a document is searched by name first and then, if its position is the next part of the path, as
 * the element at that position: {@code a.1} of {@code {a: [5, {"1": 4}]}} offers 4 and then the document. A path that
 * names the position of an inner array goes on through that array's elements.
 */
final class PathSearch {
    private static final byte DOCUMENT = 0x03;
    private static final byte ARRAY = 0x04;

    private PathSearch() {}

    static int document(DottedPath path, int part, byte[] bytes, int document, boolean elements, ElementTest test) {
        int start = document;
        for (int i = part; ; i++) {
            byte[] name = path.partUtf8(i);
            int element = find(bytes, start, name);
            if (element < 0) {
                return test.test(ElementTest.MISSING, bytes, 0) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
            }
            byte type = bytes[element];
            int value = element + 2 + name.length;
            boolean last = i == path.size() - 1;
            if (type == ARRAY && (elements || !last)) {
                return array(path, i + 1, bytes, value, elements, test);
            }
            if (last) {
                return test.test(type, bytes, value) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
            }
            if (type != DOCUMENT) {
                return test.test(ElementTest.MISSING, bytes, 0) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
            }
            start = value;
        }
    }

    private static int array(DottedPath path, int part, byte[] bytes, int array, boolean elements, ElementTest test) {
        // As MongoDB has it, a dot at the end of a path is without meaning behind an array.
        boolean ends = part == path.size() || (part == path.size() - 1 && path.partUtf8(part).length == 0);
        if (!ends) {
            return innerArray(path, part, bytes, array, elements, test);
        }
        if (elements) {
            return lastArray(bytes, array, test);
        }
        return test.test(ARRAY, bytes, array) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
    }

    /** The path ends at this array: its elements, then the array itself. */
    private static int lastArray(byte[] bytes, int array, ElementTest test) {
        int at = array + 4;
        int end = array + LittleEndian.int32(bytes, array) - 1;
        for (int i = 0; at < end; i++) {
            int value = valueStart(bytes, at);
            if (test.test(bytes[at], bytes, value)) {
                return i;
            }
            at = value + ElementCursor.valueLength(bytes, bytes[at], value);
        }
        return test.test(ARRAY, bytes, array) ? DottedPath.WITHOUT_INDEX : DottedPath.NOT_FOUND;
    }

    private static int innerArray(
            DottedPath path, int part, byte[] bytes, int array, boolean elements, ElementTest test) {
        int position = path.index(part);
        int at = array + 4;
        int end = array + LittleEndian.int32(bytes, array) - 1;
        for (int i = 0; at < end; i++) {
            byte type = bytes[at];
            int value = valueStart(bytes, at);
            if (type == DOCUMENT && document(path, part, bytes, value, elements, test) != DottedPath.NOT_FOUND) {
                return i;
            }
            if (i == position) {
                int found = atPosition(path, part + 1, bytes, type, value, i, elements, test);
                if (found != DottedPath.NOT_FOUND) {
                    return found;
                }
            }
            at = value + ElementCursor.valueLength(bytes, type, value);
        }
        return DottedPath.NOT_FOUND;
    }

    private static int atPosition(
            DottedPath path,
            int part,
            byte[] bytes,
            byte type,
            int value,
            int position,
            boolean elements,
            ElementTest test) {
        if (part == path.size()) {
            if (!test.test(type, bytes, value)) {
                return DottedPath.NOT_FOUND;
            }
            return type == DOCUMENT ? position : DottedPath.WITHOUT_INDEX;
        }
        return switch (type) {
            case DOCUMENT -> document(path, part, bytes, value, elements, test);
            case ARRAY -> array(path, part, bytes, value, elements, test);
            default -> DottedPath.NOT_FOUND;
        };
    }

    private static int find(byte[] bytes, int document, byte[] name) {
        int at = document + 4;
        int end = document + LittleEndian.int32(bytes, document) - 1;
        while (at < end) {
            int start = at + 1;
            int i = 0;
            while (i < name.length && bytes[start + i] == name[i]) {
                i++;
            }
            if (i == name.length && bytes[start + i] == 0) {
                return at;
            }
            int nameEnd = start + i;
            while (bytes[nameEnd] != 0) {
                nameEnd++;
            }
            at = nameEnd + 1 + ElementCursor.valueLength(bytes, bytes[at], nameEnd + 1);
        }
        return -1;
    }

    private static int valueStart(byte[] bytes, int element) {
        int at = element + 1;
        while (bytes[at] != 0) {
            at++;
        }
        return at + 1;
    }
}
