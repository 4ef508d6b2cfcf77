package io.dubbomesh.acceptance;

import java.io.IOException;

/** What a process can be sent. */
enum Signal {
    TERM,
    KILL,
    STOP,
    CONT;

    void send(long pid) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name(), Long.toString(pid))
                .inheritIO()
                .start();
        if (kill.waitFor() != 0) {
            throw new IOException("kill -" + name() + " " + pid + ": exit code " + kill.exitValue());
        }
    }
}
