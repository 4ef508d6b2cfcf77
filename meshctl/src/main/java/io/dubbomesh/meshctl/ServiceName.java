package io.dubbomesh.meshctl;

/** {@code interface[:version[:group]]}, as in the setting {@code dubbo.services}. */
record ServiceName(String service, String version, String group) {
    static ServiceName parse(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length > 3 || parts[0].isEmpty()) {
            throw new MeshctlException(text + " (expected: interface[:version[:group]])");
        }
        return new ServiceName(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : "");
    }

    /** The target of its description, or with a method that of a call. */
    String target(String method) {
        return '/' + AgentClient.encoded(service)
                + (method.isEmpty() ? "" : '/' + AgentClient.encoded(method))
                + "?version=" + AgentClient.encoded(version) + "&group=" + AgentClient.encoded(group);
    }
}
