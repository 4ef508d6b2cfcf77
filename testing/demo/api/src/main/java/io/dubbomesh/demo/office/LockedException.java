package io.dubbomesh.demo.office;

/** An unchecked exception with a field, which no method declares. */
@SuppressWarnings("serial")
public final class LockedException extends IllegalStateException {
    private long sinceMs;

    public LockedException() {}

    public LockedException(String message) {
        super(message);
    }

    public long getSinceMs() {
        return sinceMs;
    }

    public void setSinceMs(long sinceMs) {
        this.sinceMs = sinceMs;
    }
}
