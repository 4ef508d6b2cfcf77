package io.dubbomesh.registry.zookeeper;

import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.thread.LogLimit;
import io.dubbomesh.runtime.PrintableText;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs nodes that only other users may read. Any client that may create nodes can make many of them, so that the lines
 * are bounded.
 */
final class UnreadableNodes {
    private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
    private static final int LINES_PER_MINUTE = 10;

    private final LogLimit logLimit = new LogLimit(LINES_PER_MINUTE);

    void log(String path) {
        if (logLimit.tryLog(System.nanoTime())) {
            LOG.warn(
                    "registry: {} cannot be read: {}; it is left out",
                    PrintableText.brief(path),
                    KeeperException.Code.NOAUTH);
        }
    }
}
