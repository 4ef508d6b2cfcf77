package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.DrainState;
import io.dubbomesh.runtime.Count;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.util.concurrent.TimeUnit;

@Command(
        name = "drain",
        description = {
            "Has the agent take no new calls and finish those in flight, without ending it.",
            "A provider agent deregisters; a consumer agent or a gateway is not ready and ends each connection with its next answer."
        })
public final class DrainCommand extends AgentCommand {
    private static final long POLL_MS = 100;

    @Option(names = "--undo", description = "Have it take calls again.")
    private boolean undo;

    @Option(names = "--wait", paramLabel = "SECONDS", description = "Wait so long until no call is in flight.")
    private int waitSeconds;

    @Override
    public Integer call() throws InterruptedException {
        String document = agent().change(undo ? "DELETE" : "POST", "drain", null);
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(waitSeconds);
        while (!undo && inFlight(document) > 0 && System.nanoTime() - deadlineNs < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
            document = agent().text("drain");
        }
        long left = inFlight(document);
        if (json()) {
            out().println(document);
        } else {
            out().println((undo ? "takes calls again, " : "draining, ") + Count.of(left, "call") + " in flight");
        }
        return !undo && waitSeconds > 0 && left > 0 ? FAILED : DONE;
    }

    private static long inFlight(String document) {
        return AgentClient.document(document, DrainState.class).callsInFlight();
    }
}
