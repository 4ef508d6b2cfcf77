package io.dubbomesh.chaos.site;

import io.dubbomesh.benchmark.process.Program;
import io.dubbomesh.benchmark.process.Programs;
import io.dubbomesh.testsupport.process.Signal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A process of the mesh, which can be ended, frozen and started again: an agent, a provider or a node of etcd. Used by
 * one thread.
 */
public final class Part {
    private static final double KIB_PER_MIB = 1024;
    private static final int READY_SECONDS = 40;
    private static final String DRAIN = "/api/v1/drain";
    private static final Duration ADMIN_TIMEOUT = Duration.ofSeconds(5);
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final Programs programs;
    private final String name;
    private final List<String> command;
    private final Host host;
    private final int port;
    private final String ready;
    private final Path calls;
    private ProcessClock clock;
    private final List<Program> runs = new ArrayList<>();

    /**
     * @param ready a URL that answers 200, or a text of the output, when the process is ready
     * @param calls the file with the calls that a provider has executed; null of others
     */
    Part(Programs programs, String name, Host host, int port, List<String> command, String ready, Path calls) {
        this.programs = programs;
        this.name = name;
        this.host = host;
        this.port = port;
        this.command = host.enter(command);
        this.ready = ready;
        this.calls = calls;
    }

    public String name() {
        return name;
    }

    public Host host() {
        return host;
    }

    public int port() {
        return port;
    }

    /** Returns the address by which it is reached from home. */
    public InetSocketAddress address() {
        return new InetSocketAddress(host.address(), port);
    }

    /** Before its start: it has a clock of its own, which can be set. */
    void useClock(ProcessClock own) {
        clock = own;
    }

    /** Sets the clock of a part that has its own: to so much after the machine's time. */
    public void setClock(Duration ahead) throws IOException {
        clock.set(ahead);
    }

    /** Starts it, also again, without waiting until it is ready. */
    public void start() throws IOException {
        runs.add(programs.start(name, clock == null ? command : clock.under(command)));
    }

    public void awaitReady() throws IOException, InterruptedException {
        if (ready.startsWith("http:")) {
            programs.awaitHttp(current(), ready, READY_SECONDS);
        } else {
            programs.awaitOutput(current(), ready, READY_SECONDS);
        }
    }

    public void restart() throws IOException, InterruptedException {
        start();
        awaitReady();
    }

    /** Returns the answer of an agent's admin port. */
    public String admin(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(ready).resolve(path))
                .timeout(ADMIN_TIMEOUT)
                .build();
        return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    /** Changes the weight of a provider agent by its admin interface. */
    public void changeWeight(int weight) throws IOException, InterruptedException {
        String path = "/api/v1/endpoints/" + host.address() + ":" + port + "/weight";
        change("PUT", path, "{\"weight\":" + weight + "}");
    }

    /** Has an agent drain. */
    public void drain() throws IOException, InterruptedException {
        change("POST", DRAIN, "");
    }

    public void endDrain() throws IOException, InterruptedException {
        change("DELETE", DRAIN, "");
    }

    private void change(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(ready).resolve(path))
                .timeout(ADMIN_TIMEOUT)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() >= 300) {
            throw new IOException(method + " " + path + ": " + answer.statusCode() + ": " + answer.body());
        }
    }

    /** Returns the port of {@link #admin} of an agent. */
    public int adminPort() {
        return URI.create(ready).getPort();
    }

    private Program current() {
        return runs.get(runs.size() - 1);
    }

    /** SIGKILL; returns when it has ended. */
    public void kill() throws InterruptedException {
        current().process().kill();
    }

    /** SIGTERM; returns at once. */
    public void terminate() {
        current().process().terminate();
    }

    /** SIGTERM; returns after how many seconds it ended, or {@code limit} if it did not. */
    public double end(int limit) throws InterruptedException {
        long startNs = System.nanoTime();
        terminate();
        return awaitEnd(limit) ? (System.nanoTime() - startNs) / 1e9 : limit;
    }

    /** After {@link #terminate}: a second signal would end it at once. */
    public boolean awaitEnd(int seconds) throws InterruptedException {
        return current().process().endsWithin(Duration.ofSeconds(seconds));
    }

    /** SIGSTOP: nothing of it runs, its kernel still acknowledges. */
    public void freeze() {
        current().process().send(Signal.STOP);
    }

    /** SIGCONT. */
    public void thaw() {
        current().process().send(Signal.CONT);
    }

    /** Limits the open files, with those that it has, from now on. */
    public void limitOpenFiles(int count) throws IOException, InterruptedException {
        Programs.outputOf("prlimit", "--pid", Long.toString(pid()), "--nofile=" + count + ":" + count);
    }

    private long pid() {
        return current().process().pid();
    }

    public boolean isAlive() {
        return !runs.isEmpty() && current().process().isAlive();
    }

    /** A command to an {@link io.dubbomesh.chaos.provider.AdjustableProvider}; returns when it is obeyed. */
    public void sendCommand(String line) throws IOException, InterruptedException {
        String done = "done: " + line + "\n";
        long before = occurrences(done);
        current().process().input().write((line + "\n").getBytes(US_ASCII));
        current().process().input().flush();
        while (occurrences(done) == before) {
            Thread.sleep(1);
        }
    }

    private long occurrences(String text) throws IOException {
        return current().output().split(text, -1).length - 1;
    }

    /** Returns what it has written, in all its runs. */
    public String log() throws IOException {
        StringBuilder log = new StringBuilder();
        for (Program run : runs) {
            log.append(run.output());
        }
        return log.toString();
    }

    public long logLines() throws IOException {
        return log().lines().count();
    }

    public double rssMib() throws IOException {
        return current().rssKib() / KIB_PER_MIB;
    }

    /** CPU time in seconds since its start. */
    public double cpuSeconds() throws IOException {
        return (current().cpu().userUs() + current().cpu().systemUs()) / 1e6;
    }

    public int openFiles() throws IOException {
        return entries("fd");
    }

    public int threads() throws IOException {
        return entries("task");
    }

    /** Returns the number of threads of each name, whose digits are left out. */
    public Map<String, Integer> threadNames() throws IOException {
        Map<String, Integer> counts = new TreeMap<>();
        try (Stream<Path> tasks = Files.list(Path.of("/proc", Long.toString(pid()), "task"))) {
            for (Path task : tasks.toList()) {
                try {
                    String name = Files.readString(task.resolve("comm")).strip();
                    counts.merge(name.replaceAll("[0-9]", ""), 1, Integer::sum);
                } catch (NoSuchFileException e) {
                    // It has ended since the directory was read.
                }
            }
        }
        return counts;
    }

    private int entries(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc", Long.toString(pid()), directory))) {
            return (int) entries.count();
        }
    }

    /** The calls that it executed, by their hashes, in their order. */
    public Executions executions() throws IOException {
        return Executions.read(calls);
    }
}
