package io.dubbomesh.runtime.metrics;

import com.sun.management.UnixOperatingSystemMXBean;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;

/** The metrics of the process and its JVM, by the names that all exporters of Prometheus give them. */
public final class ProcessMetrics {
    private static final Metric CPU = Metric.counter("process_cpu_seconds_total", "Processor time that was used.");
    private static final Metric START = Metric.gauge("process_start_time_seconds", "When the process started.");
    private static final Metric RESIDENT = Metric.gauge("process_resident_memory_bytes", "Resident memory.");
    private static final Metric OPEN_FILES = Metric.gauge("process_open_fds", "Open file descriptors.");
    private static final Metric MAX_FILES = Metric.gauge("process_max_fds", "File descriptors that may be open.");
    private static final Metric THREADS = Metric.gauge("jvm_threads_current", "Threads of the JVM.");
    private static final Metric MEMORY_USED =
            Metric.gauge("jvm_memory_used_bytes", "Memory that the JVM uses, heap and nonheap.", "area");
    private static final Metric MEMORY_MAX =
            Metric.gauge("jvm_memory_max_bytes", "What that memory may become; absent where it has no bound.", "area");
    private static final Metric COLLECTIONS =
            Metric.summary("jvm_gc_collection_seconds", "Garbage collections and the time that they took.", "gc");

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final String RESIDENT_KB = "VmRSS:";

    private ProcessMetrics() {}

    public static void addTo(MetricSamples samples) {
        samples.add(START, ManagementFactory.getRuntimeMXBean().getStartTime() / 1e3);
        samples.add(THREADS, ManagementFactory.getThreadMXBean().getThreadCount());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            samples.add(CPU, system.getProcessCpuTime() / 1e9);
            samples.add(OPEN_FILES, system.getOpenFileDescriptorCount());
            samples.add(MAX_FILES, system.getMaxFileDescriptorCount());
        }
        addMemory(samples, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage(), "heap");
        addMemory(samples, ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage(), "nonheap");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            samples.addSummary(
                    COLLECTIONS,
                    collector.getCollectionCount(),
                    collector.getCollectionTime() / 1e3,
                    collector.getName());
        }
        addResident(samples);
    }

    private static void addMemory(MetricSamples samples, MemoryUsage usage, String area) {
        samples.add(MEMORY_USED, usage.getUsed(), area);
        if (usage.getMax() >= 0) {
            samples.add(MEMORY_MAX, usage.getMax(), area);
        }
    }

    private static void addResident(MetricSamples samples) {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(RESIDENT_KB)) {
                    String[] parts =
                            line.substring(RESIDENT_KB.length()).strip().split(" ");
                    samples.add(RESIDENT, Long.parseLong(parts[0]) * 1024.0);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // No Linux: the metric is absent.
            return;
        }
    }
}
