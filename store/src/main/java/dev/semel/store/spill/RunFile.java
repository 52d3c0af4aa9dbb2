package dev.semel.store.spill;

import dev.semel.wire.spill.SpillReader;
import dev.semel.wire.spill.SpilledRun;
import java.util.Arrays;

/** A run in a file. */
record RunFile(SpillFile file, long records) implements SpilledRun {
    @Override
    public long diskBytes() {
        return file.bytes();
    }

    @Override
    public SpillReader read() {
        return new Reader();
    }

    @Override
    public void close() {
        file.close();
    }

    private final class Reader implements SpillReader {
        private final Block block = new Block();

        /** Where in the block the next record begins. */
        private int at;

        /** The block's, if the record lies in one; else the record's own. */
        private byte[] array = {};

        private int offset;
        private int length;

        @Override
        public boolean next() {
            if (at == block.length() && block.next() == file.bytes()) {
                length = 0;
                return false;
            }
            int bytes = 0;
            for (int i = 0; i < Integer.BYTES; i++) {
                require();
                bytes = bytes << Byte.SIZE | (block.bytes()[at++] & 0xFF);
            }
            length = bytes;
            if (block.length() - at >= length) {
                array = block.bytes();
                offset = at;
                at += length;
            } else {
                assemble();
            }
            return true;
        }

        /** At least one more byte. */
        private void require() {
            if (at == block.length()) {
                file.read(block.next(), block);
                at = 0;
            }
        }

        private void assemble() {
            array = new byte[length];
            offset = 0;
            for (int done = 0; done < length; ) {
                require();
                int part = Math.min(length - done, block.length() - at);
                System.arraycopy(block.bytes(), at, array, done, part);
                at += part;
                done += part;
            }
        }

        @Override
        public byte[] array() {
            return array;
        }

        @Override
        public int offset() {
            return offset;
        }

        @Override
        public int length() {
            return length;
        }

        /** One that was put together is not copied once more: it is not used again. */
        @Override
        public byte[] copy() {
            return array != block.bytes() ? array : Arrays.copyOfRange(array, offset, offset + length);
        }

        @Override
        public void close() {
            // The file is the run's.
        }
    }
}
