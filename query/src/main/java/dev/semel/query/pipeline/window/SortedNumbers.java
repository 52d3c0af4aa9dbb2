package dev.semel.query.pipeline.window;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers in order, to which others are added and from which they are taken away in any order: blocks of limited size, so
 * that neither moves more than one block.
 */
final class SortedNumbers {
    private static final int BLOCK_MAX = 1024;

    private static final class Block {
        final double[] numbers = new double[BLOCK_MAX];
        int size;
    }

    private final List<Block> blocks = new ArrayList<>();
    private long size;

    long size() {
        return size;
    }

    void add(double number) {
        if (blocks.isEmpty()) {
            blocks.add(new Block());
        }
        int at = blockOf(number);
        Block block = blocks.get(at);
        if (block.size == BLOCK_MAX) {
            Block second = new Block();
            second.size = BLOCK_MAX / 2;
            block.size = BLOCK_MAX - second.size;
            System.arraycopy(block.numbers, block.size, second.numbers, 0, second.size);
            blocks.add(at + 1, second);
            block = Double.compare(number, second.numbers[0]) < 0 ? block : second;
        }
        int place = place(block, number);
        System.arraycopy(block.numbers, place, block.numbers, place + 1, block.size - place);
        block.numbers[place] = number;
        block.size++;
        size++;
    }

    /** One of a number that is there. */
    void remove(double number) {
        int at = blockOf(number);
        Block block = blocks.get(at);
        int place = place(block, number);
        System.arraycopy(block.numbers, place + 1, block.numbers, place, block.size - place - 1);
        block.size--;
        size--;
        if (block.size == 0) {
            blocks.remove(at);
        } else if (at > 0 && block.size + blocks.get(at - 1).size <= BLOCK_MAX / 2) {
            // Blocks in which little is left would take more memory than the numbers.
            Block before = blocks.get(at - 1);
            System.arraycopy(block.numbers, 0, before.numbers, before.size, block.size);
            before.size += block.size;
            blocks.remove(at);
        }
    }

    /** The last block that begins with this number or a lower one, or the first block. */
    private int blockOf(double number) {
        int low = 0;
        int high = blocks.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (Double.compare(blocks.get(middle).numbers[0], number) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static int place(Block block, double number) {
        int found = Arrays.binarySearch(block.numbers, 0, block.size, number);
        return found < 0 ? -found - 1 : found;
    }

    /** The number that so many others come before. */
    double get(long index) {
        long rest = index;
        for (Block block : blocks) {
            if (rest < block.size) {
                return block.numbers[(int) rest];
            }
            rest -= block.size;
        }
        throw new IndexOutOfBoundsException("number " + index + " of " + size);
    }
}
