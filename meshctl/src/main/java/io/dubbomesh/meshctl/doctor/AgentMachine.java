package io.dubbomesh.meshctl.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;

/**
 * The machine on which an agent runs, as far as its admin port tells: what the agent's settings name as its own is here
 * only if that is this machine.
 *
 * @param adminHost the host of the agent's admin port
 */
record AgentMachine(String adminHost) {
    /** Returns why a file in the agent's settings cannot be looked at here; null if it can. */
    String unreachableReason(Path file) {
        String elsewhere = unreachableReason();
        if (elsewhere != null) {
            return elsewhere;
        }
        return file.isAbsolute() ? null : "not looked at, since the agent may have started in another directory";
    }

    /** Returns why a loopback address in the agent's settings cannot be tried here; null for one that can. */
    String unreachableReason(String host) {
        return isLoopback(host) ? unreachableReason() : null;
    }

    private String unreachableReason() {
        return isThisMachine() ? null : "not looked at, since " + adminHost + " is not an address of this machine";
    }

    private boolean isThisMachine() {
        try {
            InetAddress address = InetAddress.getByName(adminHost);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (IOException e) {
            return false;
        }
    }
}
