package io.dubbomesh.runtime.process;

import java.util.Map;

/**
 * The properties of Netty that spare the start what an agent has no use for. A property that the user has set stays.
 */
final class NettyProperties {
    private static final Map<String, String> DEFAULTS = Map.of(
            // Parts of the names of connections, which have to differ within a process alone; else the address of a
            // network card is looked for, with a warning where there is none.
            "io.netty.machineId", "02:00:00:00:00:00",
            "io.netty.processId", "1");

    private NettyProperties() {}

    /** Sets what is not set; to be called before the first use of Netty. */
    static void setDefaults() {
        DEFAULTS.forEach((name, value) -> {
            if (System.getProperty(name) == null) {
                System.setProperty(name, value);
            }
        });
    }
}
