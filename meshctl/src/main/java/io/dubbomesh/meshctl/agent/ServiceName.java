package io.dubbomesh.meshctl.agent;

import io.dubbomesh.protocol.ServiceKey;

/** A service as an argument of a command names it, as in the setting {@code dubbo.services}. */
public record ServiceName(ServiceKey key) {
    public static ServiceName parse(String text) {
        try {
            return new ServiceName(ServiceKey.parse(text));
        } catch (IllegalArgumentException e) {
            throw new MeshctlException(
                    text.contains("#")
                            ? text + " (expected: the method apart, meshctl call " + text.replace('#', ' ') + ')'
                            : e.getMessage());
        }
    }

    /** Returns the target of its description, or with a method that of a call. */
    public String target(String method) {
        return '/' + AgentClient.encoded(key.service())
                + (method.isEmpty() ? "" : '/' + AgentClient.encoded(method))
                + "?version=" + AgentClient.encoded(key.version()) + "&group=" + AgentClient.encoded(key.group());
    }
}
