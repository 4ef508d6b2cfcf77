package io.dubbomesh.testsupport.process;

import java.util.List;

/** A signal to a process. */
public enum Signal {
    TERM,
    KILL,
    /** Stops it: its connections stay, its kernel still acknowledges. */
    STOP,
    CONT;

    void send(long pid) {
        CompletedProcess.run(List.of("kill", "-" + name(), Long.toString(pid))).requireSuccess();
    }
}
