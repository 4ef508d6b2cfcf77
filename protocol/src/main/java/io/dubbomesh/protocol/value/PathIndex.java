package io.dubbomesh.protocol.value;

import java.util.Arrays;

/**
 * Resolves the references within a value: each is the path of another value, as {@code $.items[0].owner}. Paths are
 * kept as hashes of their text. In a first walk through the value, the paths that are referred to are added; in a
 * second walk, the values with these paths are found.
 */
public final class PathIndex {
    /** The path of the whole value. */
    public static final String ROOT = "$";

    /** The offset basis of FNV-1a with 64 bits. */
    private static final long FIRST_HASH = 0xcbf29ce484222325L;

    private static final long PRIME = 0x100000001b3L;
    private static final int FIRST_CAPACITY = 16;
    /** The position of several values. */
    private static final int SEVERAL = -1;

    private long[] paths;
    private int count;
    private boolean begun;
    private boolean complete;
    /** The positions of the values that have these paths; 0 for those not found. */
    private int[] targets;

    /** Begins a value. */
    public void reset() {
        paths = null;
        targets = null;
        count = 0;
        begun = false;
        complete = false;
    }

    public static long hash(CharSequence path) {
        return append(FIRST_HASH, path);
    }

    /** Returns the hash of a path with this text appended. */
    public static long append(long hash, CharSequence text) {
        long next = hash;
        for (int i = 0; i < text.length(); i++) {
            next = append(next, text.charAt(i));
        }
        return next;
    }

    public static long append(long hash, char c) {
        return (hash ^ c) * PRIME;
    }

    /** Returns the path of an element of the list that has this path. */
    public static long element(long list, int index) {
        return append(append(append(list, '['), Integer.toString(index)), ']');
    }

    /** Returns whether the paths are all known, so that their values can be found. */
    public boolean isComplete() {
        return complete;
    }

    /**
     * Begins the first walk.
     *
     * @throws MalformedValueException if it did before and came to no end: it would not now
     */
    public void begin() throws MalformedValueException {
        if (begun) {
            throw new MalformedValueException("a reference within a malformed value");
        }
        begun = true;
    }

    public void add(long path) {
        if (paths == null) {
            paths = new long[FIRST_CAPACITY];
        } else if (count == paths.length) {
            paths = Arrays.copyOf(paths, 2 * count);
        }
        paths[count++] = path;
    }

    /** Called when no more paths are added. */
    public void complete() {
        paths = count == 0 ? new long[0] : Arrays.copyOf(paths, count);
        Arrays.sort(paths);
        targets = new int[count];
        complete = true;
    }

    /** Called when a value with this path begins at this position, which is positive. */
    public void found(long path, int position) {
        int i = Arrays.binarySearch(paths, path);
        if (i >= 0) {
            targets[i] = targets[i] == 0 ? position : SEVERAL;
        }
    }

    /** Returns the position of the value with this path, or 0 if there is none or more than one. */
    public int target(long path) {
        int i = Arrays.binarySearch(paths, path);
        return i < 0 ? 0 : Math.max(targets[i], 0);
    }
}
