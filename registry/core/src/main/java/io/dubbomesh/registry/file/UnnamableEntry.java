package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.StoreFailure;

import java.util.List;

/**
 * The entry of a service whose name no file can have, since it is too long or the encoding of file names lacks one of
 * its letters. It is never there, and refuses to be put; the other entries of the agent are as before.
 */
final class UnnamableEntry extends AgentEntry {
    private final String path;
    private final String reason;

    /** The refusal to put this entry. */
    private static final class NameRefusal extends StoreFailure {
        private static final long serialVersionUID = 1;

        NameRefusal(String message) {
            super(message);
        }

        @Override
        public boolean isOfOneEntry() {
            return true;
        }
    }

    /**
     * @param path   as it would be
     * @param reason what the name has, and what is expected
     */
    UnnamableEntry(String service, String path, List<Variant> variants, String reason) {
        super(service, variants);
        this.path = path;
        this.reason = "no file can have this name (" + reason + ")";
    }

    @Override
    protected String path() {
        return path;
    }

    @Override
    protected byte[] value() {
        return null;
    }

    @Override
    protected boolean isOurs() {
        return false;
    }

    @Override
    protected boolean isHeld() {
        return false;
    }

    @Override
    protected boolean refresh() {
        return false;
    }

    @Override
    protected void put(byte[] value, boolean leaving) throws StoreFailure {
        throw new NameRefusal(reason);
    }

    @Override
    protected void delete() {}

    @Override
    protected void clearUnanswered() {}
}
