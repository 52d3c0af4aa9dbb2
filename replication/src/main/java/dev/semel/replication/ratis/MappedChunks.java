package dev.semel.replication.ratis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The requests that send a checkpoint, one file after the other, with mapped files in place of arrays. Ratis keeps each
 * request until its timeout is over, whether it has been answered or not: the heap would have to hold most of the checkpoint.
 */
final class MappedChunks implements Iterator<InstallSnapshotRequestProto> {
    private final Iterator<InstallSnapshotRequestProto> requests;
    private final Iterator<FileInfo> files;
    private final Runnable whenRead;
    private Path file = Path.of("");

    /** @param whenRead called when the files are needed no more */
    MappedChunks(Iterable<InstallSnapshotRequestProto> requests, SnapshotInfo snapshot, Runnable whenRead) {
        this.requests = requests.iterator();
        this.files = snapshot.getFiles().iterator();
        this.whenRead = whenRead;
    }

    @Override
    public boolean hasNext() {
        boolean hasNext = requests.hasNext();
        if (!hasNext) {
            whenRead.run();
        }
        return hasNext;
    }

    @Override
    public InstallSnapshotRequestProto next() {
        var request = requests.next().toBuilder();
        for (FileChunkProto.Builder chunk : request.getSnapshotChunkBuilder().getFileChunksBuilderList()) {
            if (chunk.getChunkIndex() == 0) {
                file = files.next().getPath();
            }
            if (!chunk.getData().isEmpty()) {
                chunk.setData(mapped(chunk.getOffset(), chunk.getData().size()));
            }
        }
        return request.build();
    }

    private ByteString mapped(long offset, int length) {
        try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return UnsafeByteOperations.unsafeWrap(channel.map(FileChannel.MapMode.READ_ONLY, offset, length));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
