package io.dubbomesh.testsupport;

import java.io.IOException;

/** The threads of peers, which end with their sockets. */
public final class Threads {
    private Threads() {}

    @FunctionalInterface
    public interface Task {
        void run() throws Exception;
    }

    /** A task ends with an exception when its socket is closed, by either end; any other exception is printed. */
    public static void start(String name, Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException | InterruptedException e) {
                        // The socket was closed.
                    } catch (Exception e) {
                        throw new IllegalStateException(name, e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }
}
