package io.dubbomesh.loadbalance;

/**
 * The endpoints that have answered last, each once, the oldest first.
 */
final class LatestAnswers {
    static final int CAPACITY = 16;

    private final int[] index = new int[CAPACITY];
    private final long[] answeredNs = new long[CAPACITY];
    private int size;

    int size() {
        return size;
    }

    int index(int place) {
        return index[place];
    }

    /** Adds an answer in the place of an earlier one of the same endpoint, or of the oldest. */
    void add(int endpoint, long nowNs) {
        forget(endpoint);
        if (size == CAPACITY) {
            remove(0);
        }
        set(size++, endpoint, nowNs);
    }

    /** Removes the answer of an endpoint, if there is one. */
    void forget(int endpoint) {
        for (int place = 0; place < size; place++) {
            if (index[place] == endpoint) {
                remove(place);
                return;
            }
        }
    }

    void removeOlder(long ageNs, long nowNs) {
        while (size > 0 && nowNs - answeredNs[0] > ageNs) {
            remove(0);
        }
    }

    void remove(int place) {
        size--;
        for (int i = place; i < size; i++) {
            set(i, index[i + 1], answeredNs[i + 1]);
        }
    }

    private void set(int place, int endpoint, long timeNs) {
        index[place] = endpoint;
        answeredNs[place] = timeNs;
    }

    /** Returns the answers of the endpoints that stay, as {@link LoadBalancer#changed}. */
    LatestAnswers changed(int[] previousIndex) {
        LatestAnswers changed = new LatestAnswers();
        for (int place = 0; place < size; place++) {
            for (int i = 0; i < previousIndex.length; i++) {
                if (previousIndex[i] == index[place]) {
                    changed.set(changed.size++, i, answeredNs[place]);
                }
            }
        }
        return changed;
    }
}
