package dev.semel.replication.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.ratis.proto.RaftProtos.FileChunkProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MappedChunksTest {
    private static final int CHUNK_BYTES = 4;

    @TempDir
    Path folder;

    /** Ratis keeps them for long: a primary would run out of memory while it sends a checkpoint. */
    @Test
    void requestsAreTheSameAndHoldNoneOfTheFilesInTheHeap() throws Exception {
        var files = new ArrayList<FileInfo>();
        var requests = new ArrayList<InstallSnapshotRequestProto>();
        for (String content : List.of("0123456789", "", "abcd")) {
            Path file = Files.writeString(folder.resolve("file" + files.size()), content);
            files.add(new FileInfo(file, null));
            requests.addAll(requests(file.toString(), content));
        }
        var reads = new AtomicInteger();
        var chunks = new MappedChunks(
                requests,
                new Checkpoints.Checkpoint(TermIndex.valueOf(1, 2), folder, List.copyOf(files)),
                reads::incrementAndGet);
        var sent = new ArrayList<InstallSnapshotRequestProto>();
        chunks.forEachRemaining(request -> {
            assertThat(reads).as("the files are needed").hasValue(0);
            sent.add(request);
        });
        assertThat(reads).hasValue(1);
        assertThat(sent).isEqualTo(requests);
        assertThat(sent.stream()
                        .map(each -> each.getSnapshotChunk().getFileChunks(0).getData())
                        .filter(data -> !data.isEmpty())
                        .flatMap(data -> data.asReadOnlyByteBufferList().stream()))
                .hasSize(4)
                .allMatch(ByteBuffer::isDirect);
    }

    private static List<InstallSnapshotRequestProto> requests(String name, String content) {
        var requests = new ArrayList<InstallSnapshotRequestProto>();
        int offset = 0;
        do {
            int end = Math.min(offset + CHUNK_BYTES, content.length());
            var request = InstallSnapshotRequestProto.newBuilder();
            request.getSnapshotChunkBuilder()
                    .addFileChunks(FileChunkProto.newBuilder()
                            .setFilename(name)
                            .setOffset(offset)
                            .setChunkIndex(requests.size())
                            .setDone(end == content.length())
                            .setData(ByteString.copyFromUtf8(content.substring(offset, end))));
            requests.add(request.build());
            offset = end;
        } while (offset < content.length());
        return requests;
    }
}
