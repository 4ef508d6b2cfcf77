package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.zookeeper.LocalZooKeeper;

import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The way in which an unmodified provider registers in ZooKeeper: settings of Dubbo, and the client of ZooKeeper, which
 * the demo's jars have not.
 */
public enum Registration {
    /** In Dubbo 2.7 the only one, which has no setting. */
    INTERFACE("interface", "local"),
    INSTANCE("instance", "local"),
    INSTANCE_REMOTE("instance", "remote"),
    ALL("all", "local");

    /** One class of each jar. */
    private static final List<String> CLIENT = List.of(
            "org.apache.curator.x.discovery.ServiceDiscovery",
            "org.apache.curator.framework.recipes.cache.TreeCache",
            "org.apache.curator.framework.CuratorFramework",
            "org.apache.curator.CuratorZookeeperClient",
            "org.apache.zookeeper.ZooKeeper",
            "org.apache.jute.Record",
            "com.google.common.collect.ImmutableList",
            "com.google.common.util.concurrent.internal.InternalFutureFailureAccess",
            "com.fasterxml.jackson.databind.ObjectMapper",
            "com.fasterxml.jackson.core.JsonFactory",
            "com.fasterxml.jackson.annotation.JsonProperty");

    private final String mode;
    private final String metadata;

    Registration(String mode, String metadata) {
        this.mode = mode;
        this.metadata = metadata;
    }

    public static Program withClient(Jvm provider) throws ReflectiveOperationException, URISyntaxException {
        List<Path> jars = new ArrayList<>();
        for (String each : CLIENT) {
            jars.add(Path.of(Class.forName(each)
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI()));
        }
        return provider.with(jars);
    }

    /** Returns an address of this machine, since Dubbo registers no loopback address. */
    private static String address() throws SocketException {
        return NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(address -> address instanceof Inet4Address
                        && !address.isLoopbackAddress()
                        && !address.isLinkLocalAddress())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no address beside loopback, and Dubbo registers no other"))
                .getHostAddress();
    }

    /** Returns the settings of Dubbo and of the demo's provider, by system properties. */
    public Map<String, String> settings(LocalZooKeeper zooKeeper) throws SocketException {
        Map<String, String> settings = new HashMap<>();
        settings.put("dubbo.registry.address", zooKeeper.uri());
        settings.put("dubbo.application.register-mode", mode);
        settings.put("dubbo.application.metadata-type", metadata);
        settings.put("host", address());
        return settings;
    }
}
