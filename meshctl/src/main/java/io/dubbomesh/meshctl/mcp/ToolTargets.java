package io.dubbomesh.meshctl.mcp;

import java.util.List;

/** The tools of an agent as its operators see them. */
record ToolTargets(List<ToolTarget> tools) {
    private static final ToolTarget UNKNOWN = new ToolTarget("", "", "", "", "");

    /** The method that a tool calls. */
    record ToolTarget(String name, String service, String version, String group, String method) {
        /** Returns the service with its version and group, as commands take it. */
        public String serviceName() {
            String of = group.isEmpty() ? version : version + ':' + group;
            return of.isEmpty() ? service : service + ':' + of;
        }
    }

    /** Returns the method of this tool, with empty names if it is not known. */
    ToolTarget of(String tool) {
        return tools.stream()
                .filter(each -> each.name().equals(tool))
                .findFirst()
                .orElse(UNKNOWN);
    }
}
