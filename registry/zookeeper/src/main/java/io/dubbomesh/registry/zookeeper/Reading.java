package io.dubbomesh.registry.zookeeper;

import org.apache.zookeeper.KeeperException;

import java.util.HashSet;
import java.util.Set;

/**
 * One list of everything below a root, which takes many questions: what was found, and whether all answers are there.
 */
final class Reading {
    private final UnreadableNodes unreadable;
    private final Set<String> found = new HashSet<>();
    private int pending;
    private boolean failed;

    Reading(UnreadableNodes unreadable) {
        this.unreadable = unreadable;
    }

    /** Called when a question is asked. */
    void ask() {
        pending++;
    }

    void found(String name) {
        found.add(name);
    }

    boolean hasFound(String name) {
        return found.contains(name);
    }

    /** Called when a question is answered, and those that follow from the answer are asked. */
    void answered() {
        pending--;
    }

    /** Called when a question is not answered. What only others may read is left out. */
    void failed(String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            unreadable.log(path);
        } else {
            failed = true;
        }
        pending--;
    }

    /** Returns whether everything was read. */
    boolean isComplete() {
        return pending == 0 && !failed;
    }

    /** Returns whether all has ended and something has to be asked for again. */
    boolean hasFailed() {
        return pending == 0 && failed;
    }
}
