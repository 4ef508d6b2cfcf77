package io.dubbomesh.consumer.upstream.link;

import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EndpointLoadsTest {
    private static final EndpointId ADDRESS = EndpointProtocol.MESH.at("192.0.2.7", 30000);

    private final EndpointLoads loads = new EndpointLoads(2);

    @Test
    void theLoadOfAnEndpointIsTheSumOverTheEventLoops() {
        EndpointLoads.Load first = loads.open(ADDRESS);
        EndpointLoads.Load second = loads.open(ADDRESS);
        EndpointLoads.Load other = loads.open(EndpointProtocol.MESH.at("192.0.2.8", 30000));

        first.set(0, 3);
        second.set(1, 4);
        first.set(0, 2);
        other.set(0, 9);

        assertThat(first.total()).isEqualTo(6);
        assertThat(second.total()).isEqualTo(6);
    }

    @Test
    void anEndpointThatNoLoopUsesIsForgotten() {
        loads.open(ADDRESS);
        loads.open(ADDRESS);
        loads.close(ADDRESS);
        assertThat(loads.size()).isEqualTo(1);

        loads.close(ADDRESS);
        assertThat(loads.size()).isZero();
    }
}
