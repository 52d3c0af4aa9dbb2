package dev.semel.cluster;

import java.io.IOException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * Which member of which set the log and the data in a folder belong to. It is written when a server becomes a member, so
 * that it finds its set after a restart, and so that nobody takes its folder for that of another member or another set.
 *
 * @param id of the consensus group, besides the name of the set; empty for a set that was begun with all its members
 * @param members with which it began
 */
record MemberFile(String set, String id, String self, List<String> members) {
    private static final String NAME = "member.properties";
    private static final String FORMAT = "1";
    private static final String ID = "([0-9a-f]{24})?";

    MemberFile {
        members = List.copyOf(members);
    }

    static MemberFile of(SetOptions options) {
        String id = options.id();
        return new MemberFile(options.name(), id == null ? "" : id, options.self(), options.members());
    }

    /** Null if there is none. */
    static @Nullable MemberFile read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        if (!Files.exists(file)) {
            return null;
        }
        Properties read = new Properties();
        try {
            read.load(new StringReader(Files.readString(file)));
        } catch (IllegalArgumentException e) {
            throw damaged(file, e);
        }
        String format = read.getProperty("format");
        if (!FORMAT.equals(format)) {
            throw new IOException(
                    "%s has the format %s, this version of Semel reads %s: start the version that wrote it"
                            .formatted(file, format, FORMAT));
        }
        String set = read.getProperty("set", "");
        String self = read.getProperty("self", "");
        String id = read.getProperty("id", "");
        if (set.isEmpty() || self.isEmpty() || !id.matches(ID)) {
            throw damaged(file, null);
        }
        List<String> members = Arrays.stream(read.getProperty("members", "").split(","))
                .filter(each -> !each.isEmpty())
                .toList();
        return new MemberFile(set, id, self, members);
    }

    private static IOException damaged(Path file, @Nullable Throwable cause) {
        return new IOException(
                "%s is damaged: remove this member from its set, and add it again with an empty --dbpath"
                        .formatted(file),
                cause);
    }

    /** Complete and on disk when it returns. */
    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path unfinished = folder.resolve(NAME + ".new");
        String text = "format=%s\nset=%s\nid=%s\nself=%s\nmembers=%s\n"
                .formatted(FORMAT, escaped(set), id, escaped(self), escaped(String.join(",", members)));
        try (FileChannel out = FileChannel.open(
                unfinished,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            out.force(true);
        }
        Files.move(unfinished, folder.resolve(NAME), StandardCopyOption.ATOMIC_MOVE);
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    /** As this member is started from now on. */
    SetOptions options(Path folder, java.time.Duration electionTimeout, @Nullable MemberSecurity security) {
        return new SetOptions(set, members, self, folder, electionTimeout, security, id.isEmpty() ? null : id);
    }

    /** Whoever starts it as something else has taken the wrong folder. */
    void check(Path folder, String expectedSet, @Nullable String expectedSelf) throws IOException {
        if (!set.equals(expectedSet)) {
            throw new IOException(
                    "the folder %s belongs to a member of the replica set '%s', and --replSet says '%s': correct the name, or take the --dbpath of a member of '%s', or an empty one"
                            .formatted(folder, set, expectedSet, expectedSet));
        }
        if (expectedSelf != null && !self.equals(expectedSelf)) {
            throw new IOException(
                    "the folder %s belongs to the member %s of the replica set '%s', and this server is %s: two members cannot share or copy one. Start %s with an empty --dbpath, or correct --port, --members or --advertise"
                            .formatted(folder, self, set, expectedSelf, expectedSelf));
        }
    }
}
