package io.dubbomesh.runtime.admin;

import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.time.Instant;

/**
 * The process of an agent.
 *
 * @param version   of the agent; null if it does not run from its jar
 * @param startedAt in ISO 8601
 */
public record ProcessState(String version, String java, long pid, String startedAt, double uptimeSeconds) {
    public static ProcessState now() {
        RuntimeMXBean jvm = ManagementFactory.getRuntimeMXBean();
        return new ProcessState(
                ProcessState.class.getPackage().getImplementationVersion(),
                Runtime.version().toString(),
                ProcessHandle.current().pid(),
                Instant.ofEpochMilli(jvm.getStartTime()).toString(),
                jvm.getUptime() / 1e3);
    }
}
