package io.dubbomesh.meshctl;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** A command that asks an agent. */
abstract class AgentCommand implements Callable<Integer> {
    static final int DONE = 0;
    static final int FAILED = 1;

    @ParentCommand
    private Meshctl meshctl;

    @Spec
    private CommandSpec spec;

    AgentClient agent() {
        return new AgentClient(admin(), null);
    }

    final URI admin() {
        return meshctl.admin();
    }

    boolean json() {
        return meshctl.json();
    }

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** The objects in a member of a document that is an array. */
    static List<Map<?, ?>> objects(Map<?, ?> document, String member) {
        List<Map<?, ?>> objects = new ArrayList<>();
        if (document.get(member) instanceof List<?> items) {
            items.forEach(item -> objects.add((Map<?, ?>) item));
        }
        return objects;
    }

    static String text(Map<?, ?> document, String member) {
        Object value = document.get(member);
        return value == null ? "" : value.toString();
    }
}
