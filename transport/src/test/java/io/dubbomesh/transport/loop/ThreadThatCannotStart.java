package io.dubbomesh.transport.loop;

/** A thread that fails as when the system's limit is reached. */
final class ThreadThatCannotStart extends Thread {
    @Override
    public synchronized void start() {
        throw new OutOfMemoryError("unable to create native thread: possibly out of memory or process/resource limits");
    }
}
