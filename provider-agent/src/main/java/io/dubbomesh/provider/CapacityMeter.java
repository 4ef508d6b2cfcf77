package io.dubbomesh.provider;

import io.dubbomesh.client.call.CallCounters;
import io.dubbomesh.client.call.ServiceLimit;
import io.dubbomesh.registry.Registration;
import io.dubbomesh.transport.loop.PerLoop;
import io.dubbomesh.transport.loop.PeriodicTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;

/** Registers at regular intervals what the provider can execute, by a thread of its own, for {@code lb.weight=auto}. */
final class CapacityMeter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CapacityMeter.class);
    private static final long INTERVAL_MS = 5_000;

    private final PerLoop<ProviderLoop> loops;
    private final ServiceLimit limit;
    private final Registration registration;
    private final CapacityEstimate estimate = new CapacityEstimate();
    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "capacity");
        thread.setDaemon(true);
        return thread;
    });

    private CapacityMeter(PerLoop<ProviderLoop> loops, ServiceLimit limit, Registration registration) {
        this.loops = loops;
        this.limit = limit;
        this.registration = registration;
    }

    static CapacityMeter start(PerLoop<ProviderLoop> loops, ServiceLimit limit, Registration registration) {
        CapacityMeter meter = new CapacityMeter(loops, limit, registration);
        PeriodicTask.start(meter.executor, "capacity of the provider", INTERVAL_MS, meter::measure);
        return meter;
    }

    private void measure() {
        CallCounters all = new CallCounters();
        try {
            loops.ask(ProviderLoop::counted).forEach(all::add);
        } catch (TimeoutException e) {
            LOG.debug("the capacity is not measured: {}", e.getMessage());
            return;
        }
        int callsPerSecond = estimate.update(all.executed, all.executedNs, limit.known());
        if (callsPerSecond > 0) {
            LOG.debug("the provider can execute {} calls a second", callsPerSecond);
            registration.changeCapacity(callsPerSecond);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
