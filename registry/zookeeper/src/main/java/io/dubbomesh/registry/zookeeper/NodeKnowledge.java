package io.dubbomesh.registry.zookeeper;

/**
 * What an agent knows of one of its nodes since it was read.
 *
 * <pre>
 *   FRESH ------- reported as changed ------> STALE
 *   each -------- a write begins -----------> STALE
 *   STALE ------- the write is done --------> Made
 *   STALE ------- its answer is lost -------> Unanswered
 *   Unanswered -- its put is not wanted ----> STALE
 *   each -------- read ---------------------> FRESH
 * </pre>
 */
sealed interface NodeKnowledge {
    /** What is known of a node that the agent has not written. */
    enum Read implements NodeKnowledge {
        /** What was found is what is there, as far as is known. */
        FRESH,
        /** The node has to be read again. */
        STALE
    }

    /**
     * The agent has written it.
     *
     * @param value null for a node that was deleted
     */
    record Made(byte[] value) implements NodeKnowledge {}

    /** The agent has put it, and the answer was lost. */
    record Unanswered(byte[] value, boolean leaving) implements NodeKnowledge {}

    /** Returns what is known when ZooKeeper has reported a change, or may have missed to. */
    default NodeKnowledge changed() {
        return this == Read.FRESH ? Read.STALE : this;
    }

    /** Returns what is known when a put without an answer is not wanted any more. */
    default NodeKnowledge withoutUnanswered() {
        return this instanceof Unanswered ? Read.STALE : this;
    }
}
