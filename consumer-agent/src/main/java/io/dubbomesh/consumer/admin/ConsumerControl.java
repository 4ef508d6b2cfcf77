package io.dubbomesh.consumer.admin;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.admin.Readiness;
import io.dubbomesh.transport.metrics.Failure;

import javax.net.ssl.SSLSocketFactory;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/**
 * The consumer agent as its operators see it and steer it. Each method may be called by any thread, and may block for
 * some seconds.
 */
public interface ConsumerControl {
    /** Returns whether it is a consumer or a gateway. */
    AgentRole role();

    /** Returns the address at which requests are taken: {@code 127.0.0.1:20000}. */
    String listening();

    /** Makes connections to that port, if it takes requests by TLS; null if it takes plain HTTP. */
    SSLSocketFactory tlsClient();

    /** Returns whether callers are authenticated. */
    boolean authenticatesCallers();

    /** Returns the name of the strategy that chooses endpoints. */
    String strategy();

    /** Returns the calls per second that were sent to each endpoint in the last half minute, by its address. */
    Map<String, Double> recentRates();

    /** Returns the registry's URI. */
    String registry();

    /** Returns the nanoseconds since the registry confirmed that list; -1 as long as none is loaded. */
    long registryAgeNs();

    /** Returns the registry's newest list; null as long as none is loaded. */
    Directory directory();

    Readiness readiness();

    /** @throws TimeoutException if an event loop does not answer */
    List<ConsumerLoopState> loops() throws TimeoutException;

    /**
     * Returns the latest failures of each event loop.
     *
     * @throws TimeoutException as {@link #loops}
     */
    List<List<Failure>> failures() throws TimeoutException;

    boolean isDraining();

    /** Has the agent be not ready, and end each connection with its next response; or undoes that. */
    void drain(boolean now);

    /** Changes the weight of an endpoint, see {@link io.dubbomesh.registry.Registry#changeWeight}. */
    void changeWeight(Collection<String> services, HostPort endpoint, int weight) throws IOException;
}
