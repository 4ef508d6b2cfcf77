package io.dubbomesh.registry.nacos;

import com.alibaba.nacos.api.naming.NamingService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class NacosConnectionTest {
    private static final String TEMPORARY = "java.io.tmpdir";
    private static final NacosUri UNREACHABLE = NacosUri.parse("nacos://127.0.0.1:1");

    @TempDir
    Path folder;

    private final String before = System.getProperty(TEMPORARY);

    @AfterEach
    void restore() {
        System.setProperty(TEMPORARY, before);
        System.clearProperty("JM.SNAPSHOT.PATH");
    }

    @Test
    void whatTheClientWritesIsDeletedWithTheLastOne() throws Exception {
        System.setProperty(TEMPORARY, folder.toString());
        NamingService first = NacosConnection.open(UNREACHABLE);
        NamingService second = NacosConnection.open(UNREACHABLE);
        assertThat(folder).isDirectoryContaining("glob:**/dubbo-mesh-nacos*");

        NacosConnection.close(first);
        assertThat(folder).isNotEmptyDirectory();
        NacosConnection.close(second);
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void noTemporaryDirectoryIsNeeded() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        System.setProperty(TEMPORARY, file.toString());

        NacosConnection.close(NacosConnection.open(UNREACHABLE));

        assertThat(file).isEmptyFile();
    }
}
