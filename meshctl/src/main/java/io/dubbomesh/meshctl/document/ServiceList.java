package io.dubbomesh.meshctl.document;

import java.util.List;

/** The services that an agent lists to its callers. */
public record ServiceList(List<Link> services) {
    /** One of them. */
    public record Link(String service) {}
}
