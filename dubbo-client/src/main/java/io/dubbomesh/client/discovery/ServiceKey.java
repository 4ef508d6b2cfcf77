package io.dubbomesh.client.discovery;

/** A service in one of its variants. */
public record ServiceKey(String service, String version, String group) {
    /** As {@code dubbo.services} names it: {@code interface[:version[:group]]}. */
    @Override
    public String toString() {
        if (!group.isEmpty()) {
            return service + ':' + version + ':' + group;
        }
        return version.isEmpty() ? service : service + ':' + version;
    }
}
