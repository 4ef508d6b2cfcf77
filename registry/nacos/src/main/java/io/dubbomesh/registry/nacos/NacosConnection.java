package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.PropertyKeyConst;
import com.alibaba.nacos.api.config.ConfigFactory;
import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.naming.NamingFactory;
import com.alibaba.nacos.api.naming.NamingService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * Makes clients of Nacos, which connect by themselves, and again when they have lost their server. They write what they
 * learn, tokens included, into a directory, which is not read: it is the owner's alone, and is deleted when the last of
 * them is closed.
 */
final class NacosConnection {
    private static final Logger LOG = LoggerFactory.getLogger(NacosConnection.class);
    private static final String LOG_CONFIGURATION = "nacos.logging.default.config.enabled";
    private static final String SNAPSHOTS = "JM.SNAPSHOT.PATH";
    private static final String FOLDER = "dubbo-mesh-nacos";
    /** Below what is no directory. */
    private static final String NOWHERE = "/dev/null/" + FOLDER;

    private static int open;
    /** Null if there is none, or an operator chose it. */
    private static Path folder;

    private NacosConnection() {}

    /** Opens a client, to be closed with {@link #close(NamingService)}. */
    static NamingService open(NacosUri uri) throws NacosException {
        Properties properties = opening(uri);
        NamingService naming = null;
        try {
            naming = NamingFactory.createNamingService(properties);
        } finally {
            if (naming == null) {
                closed();
            }
        }
        return naming;
    }

    /** Opens a client, to be closed with {@link #close(ConfigService)}. */
    static ConfigService openConfiguration(NacosUri uri) throws NacosException {
        Properties properties = opening(uri);
        ConfigService configuration = null;
        try {
            configuration = ConfigFactory.createConfigService(properties);
        } finally {
            if (configuration == null) {
                closed();
            }
        }
        return configuration;
    }

    /** A client connects, and is closed, without the lock: both can take seconds while Nacos is away. */
    private static synchronized Properties opening(NacosUri uri) {
        open++;
        // It would write logs and snapshots into the home directory, which an agent may not have.
        System.getProperties().putIfAbsent(LOG_CONFIGURATION, "false");
        if (System.getProperties().getProperty(SNAPSHOTS) == null) {
            System.setProperty(SNAPSHOTS, makeFolder());
        }
        Properties properties = new Properties();
        properties.setProperty(PropertyKeyConst.SERVER_ADDR, uri.servers());
        properties.setProperty(PropertyKeyConst.NAMESPACE, uri.namespace());
        if (!uri.user().isEmpty()) {
            properties.setProperty(PropertyKeyConst.USERNAME, uri.user());
            properties.setProperty(PropertyKeyConst.PASSWORD, uri.password());
        }
        return properties;
    }

    /**
     * A directory that cannot be will do: the client logs that, and works without. One with a known name could be
     * another user's.
     */
    private static String makeFolder() {
        Path parent = Path.of(System.getProperties().getProperty("java.io.tmpdir"));
        try {
            folder = Files.createTempDirectory(parent, FOLDER);
            return folder.toString();
        } catch (IOException e) {
            LOG.debug("no directory for the client of Nacos", e);
            return NOWHERE;
        }
    }

    static void close(NamingService naming) {
        try {
            naming.shutDown();
        } catch (NacosException e) {
            LOG.debug("client of Nacos not closed", e);
        }
        closed();
    }

    static void close(ConfigService configuration) {
        try {
            configuration.shutDown();
        } catch (NacosException e) {
            LOG.debug("client of Nacos not closed", e);
        }
        closed();
    }

    private static synchronized void closed() {
        if (--open <= 0 && folder != null) {
            delete(folder);
            folder = null;
            System.clearProperty(SNAPSHOTS);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> all = files.sorted(Comparator.reverseOrder()).toList();
            for (Path file : all) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            // A client that was just closed may still write.
            LOG.debug("{} not deleted", folder, e);
        }
    }
}
