package dev.semel.driver.operation;

import dev.semel.driver.connection.Command;
import dev.semel.driver.description.ConnectionDescription;
import dev.semel.driver.error.MongoClientException;
import java.util.Arrays;
import java.util.BitSet;
import org.bson.io.BasicOutputBuffer;
import org.bson.io.BsonOutput;

/** Statements of a bulk write, encoded once, one after the other, and sent in as many messages as the server wants. */
final class Statements {
    /** What the rest of a message may take. */
    private static final int MESSAGE_OVERHEAD_BYTES = 16 * 1024;

    private final String field;
    private final BasicOutputBuffer bytes = new BasicOutputBuffer(1024);
    private final BitSet unrepeatable = new BitSet();
    private int[] ends = new int[16];
    private int[] indexes = new int[16];
    private int count;

    Statements(String field) {
        this.field = field;
    }

    BasicOutputBuffer output() {
        return bytes;
    }

    /**
     * What has been written since the last end is one statement, for the model with this index; of many
     * documents at once, it must not be repeated.
     */
    void end(int index, boolean isRetryable) {
        unrepeatable.set(count, !isRetryable);
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, count * 2);
            indexes = Arrays.copyOf(indexes, count * 2);
        }
        indexes[count] = index;
        ends[count++] = bytes.getPosition();
    }

    int count() {
        return count;
    }

    /** Of the model that a statement stands for. */
    int index(int statement) {
        return indexes[statement];
    }

    boolean isRetryable(int from, int length) {
        int next = unrepeatable.nextSetBit(from);
        return next < 0 || next >= from + length;
    }

    private int start(int index) {
        return index == 0 ? 0 : ends[index - 1];
    }

    /** How many statements from this one on fit into one message. */
    int fitting(int from, ConnectionDescription connection) {
        int most = Math.min(count - from, connection.maxBatchCount());
        int bytesMax = connection.maxMessageBytes() - MESSAGE_OVERHEAD_BYTES;
        int fitting = 0;
        while (fitting < most && ends[from + fitting] - start(from) <= bytesMax) {
            fitting++;
        }
        int size = ends[from] - start(from);
        if (size > connection.maxDocumentBytes() + MESSAGE_OVERHEAD_BYTES) {
            throw new MongoClientException("A statement of " + size + " bytes is larger than the server's limit of "
                    + connection.maxDocumentBytes() + " bytes");
        }
        return Math.max(fitting, 1);
    }

    Command.Sequence sequence(int from, int length) {
        return new Command.Sequence() {
            @Override
            public String field() {
                return field;
            }

            @Override
            public void write(BsonOutput out) {
                int start = start(from);
                out.writeBytes(bytes.getInternalBuffer(), start, ends[from + length - 1] - start);
            }
        };
    }
}
