package io.dubbomesh.chaos.site;

import java.util.ArrayList;
import java.util.List;

/**
 * The place of a process: a network namespace with one address.
 *
 * @param namespace null for the one that this process runs in
 * @param address   under which its ports are reached from home
 * @param home      under which it reaches the ports at home
 */
public record Host(String namespace, String address, String home) {
    public static final Host HOME = new Host(null, "127.0.0.1", "127.0.0.1");

    /** The command as it is run there. */
    List<String> enter(List<String> command) {
        if (namespace == null) {
            return command;
        }
        List<String> entered = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        entered.addAll(command);
        return entered;
    }
}
