package io.dubbomesh.registry.zookeeper.session;

import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Util;
import org.junit.jupiter.api.Test;

import java.io.File;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class PlainClientConfigTest {
    /** A class loader of its own for the class path, which tells what it has loaded. */
    private static final class OwnClasses extends URLClassLoader {
        OwnClasses() throws Exception {
            super(urls(), ClassLoader.getPlatformClassLoader());
        }

        private static URL[] urls() throws Exception {
            List<URL> urls = new ArrayList<>();
            for (String element : System.getProperty("java.class.path").split(File.pathSeparator)) {
                urls.add(Path.of(element).toUri().toURL());
            }
            return urls.toArray(URL[]::new);
        }

        void makeOne(Class<?> type) throws Exception {
            Constructor<?> constructor = loadClass(type.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            constructor.newInstance();
        }

        boolean hasLoaded(Class<?> type) {
            return findLoadedClass(type.getName()) != null;
        }
    }

    @Test
    void clientsLoadNoTlsWhichTheyDoNotSpeak() throws Exception {
        try (OwnClasses classes = new OwnClasses()) {
            classes.makeOne(PlainClientConfig.class);
            assertThat(classes.hasLoaded(X509Util.class)).isFalse();
            // The one of ZooKeeper does, or this shows nothing.
            classes.makeOne(ZKClientConfig.class);
            assertThat(classes.hasLoaded(X509Util.class)).isTrue();
        }
    }
}
