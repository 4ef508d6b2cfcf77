package io.dubbomesh.registry.thread;

/**
 * Remembers that something of a registry was ignored for want of room: only the registry has it, so that everything has
 * to be put again once something else has gone. Belongs to one thread.
 */
public final class Surplus {
    private boolean isIgnored;
    private boolean hasRoom;

    /**
     * Called when something was ignored. Returns whether it is the first since there was room. Returns whether it is
     * the first since there was room.
     */
    public boolean markIgnored() {
        boolean first = !isIgnored;
        isIgnored = true;
        return first;
    }

    /** Called when something has gone. */
    public void freed() {
        hasRoom |= isIgnored;
        isIgnored = false;
    }

    /** Returns whether what was ignored may have room now. Answers true once: what has none then is ignored again. */
    public boolean pollRoom() {
        boolean had = hasRoom;
        hasRoom = false;
        return had;
    }
}
