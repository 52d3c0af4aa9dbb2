package dev.semel.replication.ratis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.SnapshotRetentionPolicy;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.jspecify.annotations.Nullable;

/** The checkpoints of one group: a folder each, complete and on disk from the moment it has its name. */
final class Checkpoints implements StateMachineStorage {
    /** The newest, and the one before: its transfer to a follower may be about to begin. */
    private static final int KEPT = 2;

    private static final Pattern NAME = Pattern.compile("checkpoint-(\\d+)-(\\d+)");
    private static final String UNFINISHED = "unfinished";
    private static final String DIGEST = ".md5";

    /** In the folder of a group: all checkpoints, and those that arrive. */
    private static final String PRESENT = "sm";

    private static final String ARRIVING = "tmp";
    private static final String TRANSFER = "snapshot-";

    /** The log below a checkpoint is cut, so it holds the only copy. */
    record Checkpoint(TermIndex position, Path folder, List<FileInfo> files) implements SnapshotInfo {
        @Override
        public TermIndex getTermIndex() {
            return position;
        }

        @Override
        public List<FileInfo> getFiles() {
            return files;
        }
    }

    /**
     * Before Ratis opens the folder of a group: what a member left that was killed while a checkpoint arrived or took the
     * place of the others. Ratis moves those out of the way for a moment.
     */
    static void recover(Path group) throws IOException {
        if (!Files.exists(group)) {
            return;
        }
        delete(group.resolve(ARRIVING));
        var present = group.resolve(PRESENT);
        for (Path moved : moved(group)) {
            if (Files.exists(present)) {
                delete(moved);
            } else {
                Files.move(moved, present);
            }
        }
    }

    static @Nullable Path newest(Path group) throws IOException {
        recover(group);
        if (!Files.exists(group.resolve(PRESENT))) {
            return null;
        }
        var all = all(group.resolve(PRESENT));
        return all.isEmpty() ? null : all.getLast().folder();
    }

    /** The newest first. */
    private static List<Path> moved(Path group) throws IOException {
        try (Stream<Path> files = Files.list(group)) {
            return files.filter(each -> each.getFileName().toString().startsWith(PRESENT + "."))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
    }

    interface Writer {
        void write(Path folder) throws IOException;
    }

    private @Nullable Path folder;

    /** Ratis asks for each message to a follower. */
    private volatile @Nullable Checkpoint latest;

    /** By whoever sends it: the folder of a checkpoint that must stay, however many newer ones there are. */
    private final Map<Object, Path> underWay = new ConcurrentHashMap<>();

    @Override
    public void init(RaftStorage storage) throws IOException {
        open(storage.getStorageDir().getStateMachineDir().toPath());
    }

    void open(Path present) throws IOException {
        folder = present;
        Files.createDirectories(folder);
        delete(folder.resolve(UNFINISHED));
        // There are some if the process ended when the leader's checkpoint had just come.
        settle();
        look();
    }

    @Override
    public @Nullable Checkpoint getLatestSnapshot() {
        return latest;
    }

    @Override
    public void format() {}

    @Override
    public void cleanupOldSnapshots(SnapshotRetentionPolicy policy) throws IOException {
        var all = all(folder());
        for (Checkpoint old : all.subList(0, Math.max(0, all.size() - KEPT))) {
            if (!underWay.containsValue(old.folder())) {
                delete(old.folder());
            }
        }
    }

    /** Each sends one at a time. */
    void sending(Object sender, Checkpoint checkpoint) {
        underWay.put(sender, checkpoint.folder());
    }

    void sent(Object sender) {
        underWay.remove(sender);
    }

    void save(TermIndex position, Writer writer) throws IOException {
        var unfinished = folder().resolve(UNFINISHED);
        delete(unfinished);
        Files.createDirectories(unfinished);
        writer.write(unfinished);
        sync(unfinished);
        var named = folder().resolve("checkpoint-%d-%d".formatted(position.getTerm(), position.getIndex()));
        Files.move(unfinished, named);
        syncOne(folder());
        look();
    }

    /** After Ratis has put the leader's checkpoint, and a digest beside each file, into the place of all others. */
    Checkpoint installed() throws IOException {
        settle();
        look();
        return Optional.ofNullable(latest)
                .orElseThrow(() -> new IOException("The leader's checkpoint is not in " + folder()));
    }

    /** What remains of others: Ratis leaves it there. */
    void deleteTransfersBut(String transfer) throws IOException {
        var arriving = folder().resolveSibling(ARRIVING);
        if (!Files.exists(arriving)) {
            return;
        }
        try (Stream<Path> transfers = Files.list(arriving)) {
            for (Path each : (Iterable<Path>) transfers::iterator) {
                if (!each.getFileName().toString().equals(TRANSFER + transfer)) {
                    delete(each);
                }
            }
        }
    }

    /** Of a checkpoint of the leader. */
    long arrivedBytes() {
        var arriving = folder().resolveSibling(ARRIVING);
        if (!Files.exists(arriving)) {
            return 0;
        }
        long bytes = 0;
        try {
            for (Path each : filesBelow(arriving)) {
                bytes += Files.size(each);
            }
        } catch (IOException | UncheckedIOException e) {
            // It has just taken its place.
        }
        return bytes;
    }

    /** The digests served the transfer. */
    private void settle() throws IOException {
        var digests = filesBelow(folder()).stream()
                .filter(file -> file.toString().endsWith(DIGEST))
                .filter(file -> Files.exists(fileOf(file)))
                .toList();
        if (!digests.isEmpty()) {
            sync(folder());
        }
        for (Path each : digests) {
            Files.delete(each);
        }
    }

    private static Path fileOf(Path digest) {
        var name = digest.getFileName().toString();
        return digest.resolveSibling(name.substring(0, name.length() - DIGEST.length()));
    }

    private Path folder() {
        if (folder == null) {
            throw new IllegalStateException("Not yet initialized");
        }
        return folder;
    }

    private void look() throws IOException {
        var all = all(folder());
        latest = all.isEmpty() ? null : all.getLast();
    }

    /** From the oldest to the newest. */
    private static List<Checkpoint> all(Path folder) throws IOException {
        try (Stream<Path> folders = Files.list(folder)) {
            return folders.flatMap(Checkpoints::checkpoint)
                    .sorted(Comparator.comparing(Checkpoint::position))
                    .toList();
        }
    }

    private static Stream<Checkpoint> checkpoint(Path folder) {
        var name = NAME.matcher(folder.getFileName().toString());
        if (!name.matches()) {
            return Stream.empty();
        }
        var position = TermIndex.valueOf(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
        try {
            return Stream.of(new Checkpoint(
                    position,
                    folder,
                    filesBelow(folder).stream().map(Checkpoints::file).toList()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Without a digest: Ratis would ask for it with each chunk, and computes it by itself while it reads the file. */
    private static FileInfo file(Path path) {
        return new FileInfo(path, null);
    }

    private static List<Path> filesBelow(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static void sync(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                syncOne(each);
            }
        }
    }

    private static void syncOne(Path file) throws IOException {
        if (File.separatorChar == '\\' && Files.isDirectory(file)) {
            // Windows cannot open folders; a rename is in its journal.
            return;
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
