package io.dubbomesh.meshctl.command;

/** The options that all commands take. */
public interface GlobalOptions {
    /** Returns the admin ports of agents as they are typed, by comma. */
    String admin();

    /** Returns whether documents are printed as they are. */
    boolean json();
}
