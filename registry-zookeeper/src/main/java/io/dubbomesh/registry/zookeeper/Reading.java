package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registry;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.Set;

/** One list of everything below a root, which takes many questions: what was found, and whether all answers are there. */
final class Reading {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);

    private final Set<String> found = new HashSet<>();
    private int pending;
    private boolean failed;

    /** A question is asked. */
    void ask() {
        pending++;
    }

    void found(String name) {
        found.add(name);
    }

    boolean hasFound(String name) {
        return found.contains(name);
    }

    /** A question is answered, and those that follow from the answer are asked. */
    void answered() {
        pending--;
    }

    /** A question is not answered. What only others may read is left out. */
    void failed(String path, KeeperException.Code code) {
        if (code == KeeperException.Code.NOAUTH) {
            LOG.warn("registry: {} cannot be read: {}; it is left out", path, code);
        } else {
            failed = true;
        }
        pending--;
    }

    /** Whether everything was read. */
    boolean isComplete() {
        return pending == 0 && !failed;
    }

    /** Whether all has ended and something has to be asked for again. */
    boolean hasFailed() {
        return pending == 0 && failed;
    }
}
