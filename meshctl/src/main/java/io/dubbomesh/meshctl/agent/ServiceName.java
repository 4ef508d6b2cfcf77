package io.dubbomesh.meshctl.agent;

import io.dubbomesh.protocol.ServiceKey;

import java.util.Collection;
import java.util.List;

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

    /**
     * Returns the registered service that this one names without its package; the same if it has one, or is registered
     * as it is, or none has this name.
     *
     * @throws MeshctlException with their names if several have it
     */
    public ServiceName among(Collection<String> registered) {
        List<String> namesakes = isSimple() && !registered.contains(key.service())
                ? registered.stream()
                        .filter(each -> each.endsWith('.' + key.service()))
                        .sorted()
                        .toList()
                : List.of();
        if (namesakes.size() > 1) {
            throw new MeshctlException(key.service() + ": several services have this name (expected: one of "
                    + String.join(", ", namesakes) + ')');
        }
        return namesakes.isEmpty()
                ? this
                : new ServiceName(new ServiceKey(namesakes.get(0), key.version(), key.group()));
    }

    /** Returns whether it has no package. */
    public boolean isSimple() {
        return key.service().indexOf('.') < 0;
    }

    /** Returns the target of its description, or with a method that of a call. */
    public String target(String method) {
        return '/' + AgentClient.encoded(key.service())
                + (method.isEmpty() ? "" : '/' + AgentClient.encoded(method))
                + "?version=" + AgentClient.encoded(key.version()) + "&group=" + AgentClient.encoded(key.group());
    }
}
