package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.meshctl.document.AgentState;
import io.dubbomesh.meshctl.document.Config;
import io.dubbomesh.meshctl.document.Failures;
import io.dubbomesh.meshctl.document.HistoryDocument;
import io.dubbomesh.runtime.AgentRole;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at one agent from outside, as {@code meshctl doctor} does: the process, its registry, its port, what it tells
 * about the others, and why calls failed lately.
 */
public final class Diagnosis {
    private static final long CLOCK_TOLERANCE_S = 5;
    /** The page waits for nothing. */
    private static final Duration ALIVE_TIMEOUT = Duration.ofSeconds(3);

    private final AgentClient agent;
    private final List<Finding> findings = new ArrayList<>();

    public Diagnosis(AgentClient agent) {
        this.agent = agent;
    }

    /** Returns the findings in the order in which one cause may explain those behind it. */
    public List<Finding> findings() {
        AgentState state;
        try {
            checkClock(agent.page("/api/v1/access", ALIVE_TIMEOUT));
            state = agent.state();
        } catch (MeshctlException e) {
            findings.add(Finding.fail(
                    e.getMessage(),
                    "start the agent, see its process, or name its admin port: --admin http://host:port"));
            return findings;
        }
        AgentRole role = state.agentRole();
        boolean provider = role == AgentRole.PROVIDER;
        findings.add(Finding.ok(role.program() + " at " + agent.admin() + " runs since "
                + state.process().startedAt()));
        checkVersion(state.process().version());
        findings.addAll(Surroundings.checkRegistry(agent.admin().getHost(), state.registry()));
        findings.add(Surroundings.checkPort(agent.admin().getHost(), state.listening()));
        checkReadiness(state, provider);
        checkMemory(state);
        attempt(findings, () -> {
            Config config = agent.get("config", Config.class);
            if (provider) {
                findings.add(MeshPortCheck.check(state.listening(), config));
            }
            findings.addAll(CertificateChecks.check(agent.admin().getHost(), config, Instant.now()));
        });
        findings.addAll(
                provider ? new ProviderChecks(agent).check(state) : new ConsumerChecks(agent, role).check(state));
        attempt(
                findings,
                () -> findings.addAll(
                        FailedCalls.check(agent.get("failures", Failures.class).failures(), recentCalls(), role)));
        return findings;
    }

    private RecentCalls recentCalls() {
        try {
            return RecentCalls.in(agent.get("history", HistoryDocument.class));
        } catch (MeshctlException e) {
            return RecentCalls.NONE;
        }
    }

    /**
     * Runs checks that need a document of the agent. If it cannot be had, that is a finding, and those before and after
     * it still tell something.
     */
    static void attempt(List<Finding> findings, Runnable checks) {
        try {
            checks.run();
        } catch (MeshctlException e) {
            findings.add(Finding.warn(
                    "not everything was looked at: " + e.getMessage(),
                    "an agent of another version may lack a document: use its meshctl; else see the agent's log"));
        }
    }

    private void checkClock(HttpResponse<String> response) {
        response.headers().firstValue("Date").ifPresent(text -> {
            Instant there = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            long seconds = Duration.between(there, Instant.now()).toSeconds();
            if (Math.abs(seconds) > CLOCK_TOLERANCE_S) {
                findings.add(Finding.warn(
                        "the agent's clock differs from this machine's by " + seconds + " s",
                        "set both clocks by NTP: certificates and the times in logs depend on them"));
            }
        });
    }

    private void checkVersion(String theirs) {
        String ours = Diagnosis.class.getPackage().getImplementationVersion();
        if (ours != null && !theirs.isEmpty() && !ours.equals(theirs)) {
            findings.add(Finding.warn(
                    "the agent has version " + theirs + ", meshctl " + ours, "use the meshctl of the agent's release"));
        }
    }

    private void checkReadiness(AgentState state, boolean provider) {
        String readiness = state.readiness();
        if (state.draining()) {
            findings.add(Finding.warn("an operator has it drain", "meshctl drain --undo"));
        } else if (!state.ready()) {
            findings.add(Finding.fail(
                    "not ready: " + readiness,
                    provider
                            ? "compare dubbo.protocol.host, dubbo.protocol.port and dubbo.services with the provider"
                            : "the checks of the registry and of the endpoints tell why"));
        } else {
            findings.add(Finding.ok("ready"));
            if (!readiness.equals("ready")) {
                findings.add(Finding.warn(readiness, "compare dubbo.services with what the provider exports"));
            }
        }
    }

    private void checkMemory(AgentState state) {
        if (state.memoryHeldBytes() > state.memoryBudgetBytes() * 3 / 4) {
            findings.add(Finding.warn(
                    state.memoryHeldBytes() + " of " + state.memoryBudgetBytes()
                            + " bytes are held for slow peers: large calls are refused",
                    "find the client or the agent that does not read, or raise memory.budget and "
                            + "-XX:MaxDirectMemorySize"));
        }
    }
}
