package io.dubbomesh.consumer.upstream.directory;

import io.dubbomesh.registry.RoutedConsumer;
import io.dubbomesh.runtime.settings.Settings;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.Collections;

/** Reads the settings {@code routing.*}: what the agent is to routing rules. */
public final class RoutingSettings {
    private static final String LOOPBACK = "127.0.0.1";

    private RoutingSettings() {}

    public static RoutedConsumer from(Settings settings) {
        String host = settings.text("routing.host").strip();
        return new RoutedConsumer(
                settings.text("routing.application").strip(),
                host.isEmpty() ? ownAddress() : host,
                settings.text("routing.tag").strip(),
                settings.flag("routing.force-tag"));
    }

    /** Returns the first IPv4 address that others can reach. */
    private static String ownAddress() {
        try {
            for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                if (!each.isUp() || each.isLoopback() || each.isVirtual()) {
                    continue;
                }
                for (InetAddress address : Collections.list(each.getInetAddresses())) {
                    if (address instanceof Inet4Address && !address.isLinkLocalAddress()) {
                        return address.getHostAddress();
                    }
                }
            }
            return LOOPBACK;
        } catch (SocketException e) {
            return LOOPBACK;
        }
    }
}
