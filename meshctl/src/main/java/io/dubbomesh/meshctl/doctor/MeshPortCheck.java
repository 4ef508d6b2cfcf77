package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.document.Config;
import io.dubbomesh.runtime.HostPort;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Checks who may call a provider agent, by its address and its settings. */
final class MeshPortCheck {
    private MeshPortCheck() {}

    /**
     * @param listening the address on which the agent listens
     * @param config    the settings of the agent
     */
    static Finding check(String listening, Config config) {
        String port = "port " + listening + ": ";
        if (isLoopback(HostPort.parse(listening).host())) {
            return Finding.ok(port + "only programs of the agent's machine reach it");
        }
        boolean token = config.isSet("mesh.token-file");
        if (config.isSet("mesh.tls.cert")) {
            return Finding.ok(port + "consumer agents need a certificate" + (token ? " and a token" : ""));
        }
        if (token) {
            return Finding.ok(port + "consumer agents need a token; links are not encrypted");
        }
        return Finding.warn(
                port
                        + "everybody who reaches it may call every service, since consumer agents need neither a token nor a"
                        + " certificate (mesh.open=true)",
                "set mesh.token-file or mesh.tls.* of all agents, or have only agents reach the port; docs/operate/settings.md"
                        + " (authentication of agents)");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
