package io.dubbomesh.runtime;

import java.util.Locale;

/** The role of a process in the mesh, and its names in all texts for operators and clients. */
public enum AgentRole {
    /** Takes HTTP from the programs beside it and calls services through their provider agents. */
    CONSUMER("consumer agent"),
    /** Takes HTTP and calls Dubbo providers. */
    GATEWAY("gateway"),
    /** Calls the Dubbo provider beside it for consumer agents. */
    PROVIDER("provider agent");

    private final String title;

    AgentRole(String title) {
        this.title = title;
    }

    /**
     * Returns the role that a process has by its setting {@code type}.
     *
     * @return null if there is none
     */
    public static AgentRole ofType(String type) {
        for (AgentRole role : values()) {
            if (role.type().equals(type)) {
                return role;
            }
        }
        return null;
    }

    /** Returns the value of the setting {@code type}, and of {@code role} in the admin interface. */
    public String type() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns its name in sentences: {@code consumer agent}. */
    public String title() {
        return title;
    }

    /** Returns the name of its program, its log and its spans: {@code consumer-agent}. */
    public String program() {
        return title.replace(' ', '-');
    }

    /** Returns the name among the choices of a command line. */
    @Override
    public String toString() {
        return type();
    }
}
