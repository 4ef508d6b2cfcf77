package io.dubbomesh.protocol.hessian;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.util.Arrays;

/**
 * The names of a class's fields, to find one that is there twice. Of up to 1,024 names; reused, and owned by one event
 * loop.
 */
final class NameSet {
    private static final int MAX_NAMES = 1024;
    private static final int FREE = 0;

    /** The begins and ends of the names, at places that follow from their bytes. */
    private int[] begins = new int[64];

    private int[] ends = new int[64];
    private int mask;
    private boolean twice;

    void begin(int count) {
        twice = false;
        mask = count > MAX_NAMES ? 0 : Integer.highestOneBit(Math.max(count, 1)) * 4 - 1;
        if (mask >= begins.length) {
            begins = new int[mask + 1];
            ends = new int[mask + 1];
        }
        Arrays.fill(begins, 0, mask + 1, FREE);
    }

    /**
     * A name with its length, {@code in[begin, end)}.
     *
     * @return with how many others it was compared
     */
    int add(ByteBuf in, int begin, int end) {
        if (mask == 0 || twice) {
            return 0;
        }
        int hash = (end - begin) * 31 + in.getByte(end - 1) * 7 + in.getByte(begin + (end - begin) / 2);
        for (int collisions = 0; ; collisions++) {
            int at = hash + collisions & mask;
            if (begins[at] == FREE) {
                begins[at] = begin + 1;
                ends[at] = end;
                return collisions;
            }
            int other = begins[at] - 1;
            if (ends[at] - other == end - begin && ByteBufUtil.equals(in, other, in, begin, end - begin)) {
                twice = true;
                return collisions;
            }
        }
    }

    boolean hasTwice() {
        return twice;
    }
}
