package io.dubbomesh.registry.file;

import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.keep.AgentEntry;
import io.dubbomesh.registry.keep.StoreFailure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * One of an agent's own files. It is the agent's from when it writes it until it deletes it, even if others write into
 * it meanwhile; the first time it is written in any case, since a former run may have left one that others cannot read.
 *
 * <pre>
 *   UNWRITTEN ---- put ----> HELD ---- cannot be touched ----> BLOCKED
 *       ^                     | ^                                |
 *       |                     | +-------------- put -------------+
 *       +------ deleted ------+----------------------------------+
 * </pre>
 *
 * A file that cannot be touched, maybe since another user's process has replaced it, is put again while the agent is
 * registered, and one that cannot be read is as one that is gone. Only a put or a deletion that fails ends the session.
 */
final class FileEntry extends AgentEntry {
    private final FileEntryStore store;
    private final Path file;
    /** The value that was found there last, or was written. */
    private byte[] value;

    private State state = State.UNWRITTEN;

    private enum State {
        UNWRITTEN,
        HELD,
        BLOCKED
    }

    FileEntry(FileEntryStore store, String service, Path file, List<Variant> variants) {
        super(service, variants);
        this.store = store;
        this.file = file;
    }

    @Override
    protected String path() {
        return file.toString();
    }

    @Override
    protected byte[] value() {
        return value;
    }

    @Override
    protected boolean isOurs() {
        return state != State.UNWRITTEN;
    }

    @Override
    protected boolean isHeld() {
        return state == State.HELD;
    }

    @Override
    protected boolean refresh() {
        byte[] before = value;
        try {
            value = EndpointFile.read(file);
        } catch (IOException e) {
            value = null;
        }
        return !Arrays.equals(value, before);
    }

    @Override
    protected void put(byte[] newValue, boolean leaving) throws StoreFailure {
        try {
            EndpointFile.write(file, newValue);
        } catch (IOException e) {
            throw store.failed(e, !leaving);
        }
        value = newValue;
        state = State.HELD;
        executed(leaving);
    }

    @Override
    protected void delete() throws StoreFailure {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw store.failed(e, false);
        }
        value = null;
        state = State.UNWRITTEN;
    }

    /** A write has been done when it returns. */
    @Override
    protected void clearUnanswered() {}

    /** Shows that the agent is running. */
    void touch() {
        if (!isOurs() || value == null) {
            return;
        }
        try {
            EndpointFile.touch(file);
        } catch (IOException e) {
            state = State.BLOCKED;
        }
    }
}
