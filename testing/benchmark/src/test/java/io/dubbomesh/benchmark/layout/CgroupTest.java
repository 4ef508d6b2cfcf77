package io.dubbomesh.benchmark.layout;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class CgroupTest {
    private static final List<String> OF_VERSION_1 =
            List.of("9:memory:/docker/abc", "4:cpu:/docker/abc", "3:cpuacct:/docker/abc", "0::/docker/abc");
    private static final List<String> OF_VERSION_2 = List.of("0::/system.slice/docker-abc.scope");

    @TempDir
    private Path root;

    @Test
    void theUseOfVersion1IsInTwoDirectories() throws IOException {
        Path cpu = Files.createDirectories(root.resolve("cpu/docker/abc"));
        Path accounting = Files.createDirectories(root.resolve("cpuacct/docker/abc"));
        Files.writeString(cpu.resolve("cpu.stat"), "nr_periods 30\nnr_throttled 10\nthrottled_time 123456\n");
        Files.writeString(accounting.resolve("cpuacct.usage"), "2500000\n");
        Cgroup cgroup = Cgroup.of(root, OF_VERSION_1);
        assertThat(cgroup.use()).isEqualTo(new Cgroup.Use(2500, 30, 10));
    }

    @Test
    void theUseOfVersion2IsInOneDirectory() throws IOException {
        Path unified = Files.createDirectories(root.resolve("system.slice/docker-abc.scope"));
        Files.writeString(
                unified.resolve("cpu.stat"), "usage_usec 2500\nuser_usec 2000\nnr_periods 30\nnr_throttled 10\n");
        Cgroup cgroup = Cgroup.of(root, OF_VERSION_2);
        assertThat(cgroup.use()).isEqualTo(new Cgroup.Use(2500, 30, 10));
    }

    @Test
    void controllersMayShareADirectory() {
        Cgroup cgroup = Cgroup.of(root, List.of("4:cpu,cpuacct:/docker/abc", "0::/"));
        assertThat(cgroup.cpu()).isEqualTo(root.resolve("cpu,cpuacct/docker/abc"));
        assertThat(cgroup.accounting()).isEqualTo(cgroup.cpu());
    }
}
