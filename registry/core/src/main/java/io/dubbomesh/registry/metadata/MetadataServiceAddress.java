package io.dubbomesh.registry.metadata;

import io.dubbomesh.registry.address.EndpointId;

import java.util.List;

/**
 * The address at which an instance of an application of Dubbo 3 tells what it exports, by the protocol dubbo or by
 * Triple.
 *
 * @param addresses in the order in which they are asked: that of the instance's registration, and its other ports,
 *     since in a container the first may be mapped elsewhere
 * @param group     of Dubbo's {@code MetadataService} there
 * @param version   likewise, as the instance registered it: what an application configures for all its services may
 *     concern this one, too; empty for Dubbo's own
 */
public record MetadataServiceAddress(List<EndpointId> addresses, String group, String version) {
    public MetadataServiceAddress {
        addresses = List.copyOf(addresses);
    }
}
