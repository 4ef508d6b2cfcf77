package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.PropertyKeyConst;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingFactory;
import com.alibaba.nacos.api.naming.NamingService;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Properties;

/** Makes a client of Nacos, which connects by itself, and again when it has lost its server. */
final class NacosConnection {
    private static final String LOG_CONFIGURATION = "nacos.logging.default.config.enabled";
    private static final String SNAPSHOTS = "JM.SNAPSHOT.PATH";

    private NacosConnection() {}

    static NamingService open(NacosUri uri) throws NacosException, IOException {
        // It would write logs and snapshots into the home directory, which an agent may not have.
        Properties system = System.getProperties();
        system.putIfAbsent(LOG_CONFIGURATION, "false");
        if (!system.containsKey(SNAPSHOTS)) {
            system.putIfAbsent(
                    SNAPSHOTS, Files.createTempDirectory("dubbo-mesh-nacos").toString());
        }
        Properties properties = new Properties();
        properties.setProperty(PropertyKeyConst.SERVER_ADDR, uri.servers());
        properties.setProperty(PropertyKeyConst.NAMESPACE, uri.namespace());
        if (!uri.user().isEmpty()) {
            properties.setProperty(PropertyKeyConst.USERNAME, uri.user());
            properties.setProperty(PropertyKeyConst.PASSWORD, uri.password());
        }
        return NamingFactory.createNamingService(properties);
    }
}
