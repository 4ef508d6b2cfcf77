package io.dubbomesh.meshctl;

import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.Count;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Looks at one agent from outside, as {@code meshctl doctor} does: the process, its registry, its port, what it says of
 * the others, and why calls failed lately.
 */
final class Diagnosis {
    private static final long CLOCK_TOLERANCE_S = 5;
    /** For a page that waits for nothing. */
    private static final Duration ALIVE_TIMEOUT = Duration.ofSeconds(3);

    private final AgentClient agent;
    private final List<Finding> findings = new ArrayList<>();

    Diagnosis(AgentClient agent) {
        this.agent = agent;
    }

    /** In the order in which one cause may explain those behind it. */
    List<Finding> findings() {
        Map<?, ?> state;
        try {
            checkClock(agent.page("/api/v1/access", ALIVE_TIMEOUT));
            state = agent.get("state");
        } catch (MeshctlException e) {
            findings.add(Finding.fail(
                    e.getMessage(),
                    "start the agent, see its process, or name its admin port: --admin http://host:port"));
            return findings;
        }
        AgentRole role = AgentClient.role(state);
        boolean provider = role == AgentRole.PROVIDER;
        findings.add(Finding.ok(role.program() + " at " + agent.admin() + " runs since "
                + ((Map<?, ?>) state.get("process")).get("startedAt")));
        checkVersion((Map<?, ?>) state.get("process"));
        findings.addAll(Surroundings.checkRegistry(agent.admin().getHost(), AgentCommand.text(state, "registry")));
        findings.add(Surroundings.checkPort(agent.admin().getHost(), AgentCommand.text(state, "listening")));
        checkReadiness(state, provider);
        checkMemory(state);
        attempt(findings, () -> {
            List<Map<?, ?>> settings = AgentCommand.objects(agent.get("config"), "settings");
            if (provider) {
                findings.add(MeshPortCheck.check(AgentCommand.text(state, "listening"), settings));
            }
            findings.addAll(CertificateChecks.check(agent.admin().getHost(), settings, Instant.now()));
        });
        findings.addAll(
                provider ? new ProviderChecks(agent).check(state) : new ConsumerChecks(agent, role).check(state));
        attempt(
                findings,
                () -> findings.addAll(FailedCalls.check(
                        AgentCommand.objects(agent.get("failures"), "failures"), recentCalls(), role)));
        return findings;
    }

    private RecentCalls recentCalls() {
        try {
            return RecentCalls.of(agent.get("history"));
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

    private void checkVersion(Map<?, ?> process) {
        String ours = Diagnosis.class.getPackage().getImplementationVersion();
        Object theirs = process.get("version");
        if (ours != null && theirs != null && !ours.equals(theirs)) {
            findings.add(Finding.warn(
                    "the agent has version " + theirs + ", meshctl " + ours, "use the meshctl of the agent's release"));
        }
    }

    private void checkReadiness(Map<?, ?> state, boolean provider) {
        String readiness = AgentCommand.text(state, "readiness");
        if (Boolean.TRUE.equals(state.get("draining"))) {
            findings.add(Finding.warn("an operator has it drain", "meshctl drain --undo"));
        } else if (!Boolean.TRUE.equals(state.get("ready"))) {
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

    private void checkMemory(Map<?, ?> state) {
        if (number(state, "memoryHeldBytes") > number(state, "memoryBudgetBytes") * 3 / 4) {
            findings.add(Finding.warn(
                    state.get("memoryHeldBytes") + " of " + state.get("memoryBudgetBytes")
                            + " bytes are held for slow peers: large calls are refused",
                    "find the client or the agent that does not read, or raise memory.budget and -Xmx"));
        }
    }

    /** 0 where the document has none. */
    static long number(Map<?, ?> document, String member) {
        return document.get(member) instanceof Long number ? number : 0;
    }

    /** As {@link Count#of}. */
    static String count(Map<?, ?> document, String member, String noun) {
        return Count.of(number(document, member), noun);
    }
}
