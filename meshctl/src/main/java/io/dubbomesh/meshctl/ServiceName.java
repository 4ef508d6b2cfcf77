package io.dubbomesh.meshctl;

import io.dubbomesh.protocol.ServiceKey;

/** A service as an argument of a command names it, as in the setting {@code dubbo.services}. */
record ServiceName(ServiceKey key) {
    static ServiceName parse(String text) {
        try {
            return new ServiceName(ServiceKey.parse(text));
        } catch (IllegalArgumentException e) {
            throw new MeshctlException(
                    text.contains("#")
                            ? text + " (expected: the method apart, meshctl call " + text.replace('#', ' ') + ')'
                            : e.getMessage());
        }
    }

    /** The target of its description, or with a method that of a call. */
    String target(String method) {
        return '/' + AgentClient.encoded(key.service())
                + (method.isEmpty() ? "" : '/' + AgentClient.encoded(method))
                + "?version=" + AgentClient.encoded(key.version()) + "&group=" + AgentClient.encoded(key.group());
    }
}
