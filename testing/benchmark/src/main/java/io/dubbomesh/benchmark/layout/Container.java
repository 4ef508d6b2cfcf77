package io.dubbomesh.benchmark.layout;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dubbomesh.benchmark.process.BenchException;
import io.dubbomesh.benchmark.process.ProcStat;
import io.dubbomesh.benchmark.process.Programs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One container of the 2018 layout.
 *
 * @param id       of docker
 * @param quota    in processors
 * @param services the processes that are not an agent's; none in etcd's container
 */
@JsonIncludeProperties({"name", "quota"})
record Container(String id, String name, Cgroup cgroup, double quota, List<Long> services) {
    /** The period of docker/contest/docker-compose.yml, in microseconds. */
    private static final long PERIOD_US = 50_000;

    /** CPU time until now: of the whole container, and of its services. */
    record Use(Cgroup.Use all, long servicesUs) {
        Use minus(Use earlier) {
            return new Use(all.minus(earlier.all), servicesUs - earlier.servicesUs);
        }

        @JsonProperty
        long agentUs() {
            return all.cpuUs() - servicesUs;
        }
    }

    /** All containers of a compose project, in the order of their names. */
    static List<Container> of(String project) throws IOException, InterruptedException {
        String ids = docker("ps", "-q", "--filter", "label=com.docker.compose.project=" + project);
        List<Container> containers = new ArrayList<>();
        for (String id : ids.lines().toList()) {
            String format = "{{index .Config.Labels \"com.docker.compose.service\"}} {{.State.Pid}}"
                    + " {{.HostConfig.CpuQuota}}";
            String[] fields = docker("inspect", "--format", format, id).strip().split(" ");
            long quotaUs = Long.parseLong(fields[2]);
            if (quotaUs <= 0) {
                throw new BenchException(fields[0] + " of " + project
                        + " has no CPU quota: did an earlier run leave it? (docker-compose down)");
            }
            Cgroup cgroup = Cgroup.of(Long.parseLong(fields[1]));
            containers.add(new Container(id, fields[0], cgroup, (double) quotaUs / PERIOD_US, services(cgroup)));
        }
        if (containers.isEmpty()) {
            throw new BenchException("composition " + project + " has no running container");
        }
        containers.sort(Comparator.comparing(Container::name));
        return containers;
    }

    private static List<Long> services(Cgroup cgroup) throws IOException {
        List<Long> services = new ArrayList<>();
        for (long pid : cgroup.processes()) {
            String command = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
            if (command.contains("mesh-consumer.jar") || command.contains("mesh-provider.jar")) {
                services.add(pid);
            }
        }
        return services;
    }

    /** Removes the quota until {@link #limit}. */
    void unlimit() throws IOException, InterruptedException {
        docker("update", "--cpu-quota", "-1", id);
    }

    void limit() throws IOException, InterruptedException {
        docker("update", "--cpu-quota", Long.toString(Math.round(quota * PERIOD_US)), id);
    }

    /** Returns the output of the command {@code docker}. */
    static String docker(String... arguments) throws IOException, InterruptedException {
        return Programs.outputOf(Programs.command("docker", arguments).toArray(String[]::new));
    }

    Use use() throws IOException {
        long servicesUs = 0;
        for (long pid : services) {
            servicesUs += ProcStat.cpu(pid).totalUs();
        }
        return new Use(cgroup.use(), servicesUs);
    }
}
