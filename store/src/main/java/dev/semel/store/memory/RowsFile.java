package dev.semel.store.memory;

import dev.semel.store.EngineException;
import dev.semel.store.LogPosition;
import dev.semel.store.Position;
import dev.semel.store.Table;
import dev.semel.store.key.KeyRange;
import dev.semel.store.tree.Tree;
import dev.semel.store.tree.TreeCursor;
import dev.semel.wire.FileFailure;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/** The checkpoint of a store in the heap, a file that is written and read row by row; the package says what is in it. */
final class RowsFile {
    static final String NAME = "rows";

    private static final int FORMAT = 1;
    private static final int END = -1;
    private static final int BUFFER_BYTES = 1 << 16;

    private RowsFile() {}

    static void write(Path folder, MemoryStore.Version version) {
        Path file = folder.resolve(NAME);
        CRC32C checksum = new CRC32C();
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(
                new CheckedOutputStream(
                        Files.newOutputStream(Files.createDirectories(folder).resolve(NAME)), checksum),
                BUFFER_BYTES))) {
            out.writeInt(FORMAT);
            write(out, version.position());
            for (Table table : Table.values()) {
                write(out, table, version.tree(table));
            }
            out.writeByte(END);
            out.flush();
            out.writeLong(checksum.getValue());
        } catch (IOException e) {
            throw new EngineException("cannot write the checkpoint " + file + ": " + FileFailure.reason(e), e);
        }
    }

    private static void write(DataOutputStream out, Position position) throws IOException {
        out.writeLong(position.clusterTime());
        out.writeLong(position.term());
        out.writeLong(position.sequence());
        out.writeLong(position.log().term());
        out.writeLong(position.log().index());
    }

    private static void write(DataOutputStream out, Table table, Tree rows) throws IOException {
        TreeCursor cursor = rows.cursor(KeyRange.ALL, false);
        while (cursor.next()) {
            out.writeByte(table.index());
            out.writeInt(cursor.key().length);
            out.writeInt(cursor.value().length);
            out.write(cursor.key());
            out.write(cursor.value());
        }
    }

    static MemoryStore.Version read(Path folder) {
        Path file = folder.resolve(NAME);
        CRC32C checksum = new CRC32C();
        try (DataInputStream in = new DataInputStream(
                new CheckedInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES), checksum))) {
            long fileBytes = Files.size(file);
            int format = in.readInt();
            if (format != FORMAT) {
                throw new EngineException("the checkpoint %s has the format %d, this version of Semel reads %d"
                        .formatted(file, format, FORMAT));
            }
            long clusterTime = in.readLong();
            Position position = new Position(
                    in.readLong(), in.readLong(), clusterTime, new LogPosition(in.readLong(), in.readLong()));
            Editors editors = new Editors(MemoryStore.Version.empty().trees());
            for (int table = in.readByte(); table != END; table = in.readByte()) {
                int keyLength = in.readInt();
                int valueLength = in.readInt();
                if ((long) keyLength + valueLength > fileBytes) {
                    throw new IOException("a row is longer than the file");
                }
                byte[] key = new byte[keyLength];
                byte[] value = new byte[valueLength];
                in.readFully(key);
                in.readFully(value);
                editors.put(Table.at(table), key, value);
            }
            long expected = checksum.getValue();
            if (in.readLong() != expected) {
                throw new EngineException("the checkpoint " + file + " is damaged: its checksum is wrong");
            }
            return new MemoryStore.Version(editors.trees(), position);
        } catch (IOException | IndexOutOfBoundsException | NegativeArraySizeException e) {
            throw new EngineException("the checkpoint " + file + " is damaged: " + e.getMessage(), e);
        }
    }
}
