package dev.semel.wire.bson;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A document as its BSON bytes: a view, never a tree. It is the only document class of the server. Immutable, provided
 * that the array is not changed.
 *
 * <p>The bytes are trusted. What comes from outside goes through {@link BsonValidation#check} first; after that, readers
 * need not check lengths.
 */
public final class RawDocument implements Iterable<Element> {
    public static final RawDocument EMPTY = new RawDocument(new byte[] {5, 0, 0, 0, 0}, 0, 5);

    private final byte[] bytes;
    private final int offset;
    private final int length;

    private RawDocument(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.offset = offset;
        this.length = length;
    }

    /** The document that fills this array. */
    public static RawDocument of(byte[] bytes) {
        return view(bytes, 0);
    }

    /** The document that begins here; its own length prefix says where it ends. */
    public static RawDocument view(byte[] bytes, int offset) {
        return new RawDocument(bytes, offset, LittleEndian.int32(bytes, offset));
    }

    /** Size in bytes, length prefix and final zero included. */
    public int length() {
        return length;
    }

    /** The array that holds the document, from {@link #offset()}, shared and not to be changed. */
    public byte[] array() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    public boolean isEmpty() {
        return length <= 5;
    }

    public ElementCursor cursor() {
        return new ElementCursor(bytes, offset, offset + length);
    }

    /** The first field of this name, or null if there is none. */
    public @Nullable Value get(String name) {
        int at = find(name);
        return at < 0 ? null : valueOf(at);
    }

    /** The same for a name that is already UTF-8, which hot paths keep ready. */
    public @Nullable Value get(byte[] nameUtf8) {
        int at = find(nameUtf8);
        return at < 0 ? null : ElementCursor.decode(bytes, bytes[at], at + 2 + nameUtf8.length);
    }

    public boolean has(String name) {
        return find(name) >= 0;
    }

    /** Compares characters with bytes, so that an ASCII name needs no array. */
    private int find(String name) {
        int at = offset + 4;
        int end = offset + length - 1;
        while (at < end) {
            int nameStart = at + 1;
            int i = 0;
            while (i < name.length() && bytes[nameStart + i] == name.charAt(i) && bytes[nameStart + i] != 0) {
                i++;
            }
            if (i == name.length() && bytes[nameStart + i] == 0) {
                return at;
            }
            if (i < name.length() && name.charAt(i) >= 0x80) {
                return find(name.getBytes(StandardCharsets.UTF_8));
            }
            at = nextElement(at, nameStart + i);
        }
        return -1;
    }

    private Value valueOf(int elementStart) {
        int nameEnd = elementStart + 1;
        while (bytes[nameEnd] != 0) {
            nameEnd++;
        }
        return ElementCursor.decode(bytes, bytes[elementStart], nameEnd + 1);
    }

    /** Where the element after the one that begins here does; {@code inName} is anywhere in its name. */
    private int nextElement(int elementStart, int inName) {
        int nameEnd = inName;
        while (bytes[nameEnd] != 0) {
            nameEnd++;
        }
        return nameEnd + 1 + ElementCursor.valueLength(bytes, bytes[elementStart], nameEnd + 1);
    }

    /** Where the element of this name begins in {@link #array()}, at its type byte; -1 if there is none. */
    public int find(byte[] nameUtf8) {
        int at = offset + 4;
        int end = offset + length - 1;
        while (at < end) {
            int name = at + 1;
            int i = 0;
            while (i < nameUtf8.length && bytes[name + i] == nameUtf8[i] && bytes[name + i] != 0) {
                i++;
            }
            if (i == nameUtf8.length && bytes[name + i] == 0) {
                return at;
            }
            at = nextElement(at, name + i);
        }
        return -1;
    }

    /** Number of elements; walks the document. */
    public int size() {
        int count = 0;
        for (var at = cursor(); at.next(); ) {
            count++;
        }
        return count;
    }

    /** The first element, or null of an empty document. For a command that is its name and main argument. */
    public @Nullable Element first() {
        var at = cursor();
        return at.next() ? new Element(at.name(), at.value()) : null;
    }

    @Override
    public Iterator<Element> iterator() {
        return new Iterator<>() {
            private final ElementCursor at = cursor();
            private boolean has = at.next();

            @Override
            public boolean hasNext() {
                return has;
            }

            @Override
            public Element next() {
                if (!has) {
                    throw new NoSuchElementException();
                }
                Element element = new Element(at.name(), at.value());
                has = at.next();
                return element;
            }
        };
    }

    public byte[] toBytes() {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    /** This document in its own array, so that it does not keep a larger message alive. */
    public RawDocument detached() {
        return bytes.length == length ? this : of(toBytes());
    }

    /** Byte for byte, order of fields included. */
    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof RawDocument that
                        && length == that.length
                        && Arrays.equals(
                                bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length));
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        return hash;
    }

    /** Relaxed Extended JSON. */
    @Override
    public String toString() {
        return Json.relaxed(this);
    }
}
