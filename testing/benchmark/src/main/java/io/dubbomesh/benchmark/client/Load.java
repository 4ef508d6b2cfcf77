package io.dubbomesh.benchmark.client;

import io.dubbomesh.benchmark.ledger.Executions;
import io.dubbomesh.benchmark.ledger.Ledger;
import io.dubbomesh.benchmark.ledger.NumberedText;
import io.dubbomesh.benchmark.ledger.Slice;
import io.dubbomesh.benchmark.ledger.Verdict;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

/** The program behind {@code scripts/load.sh}. */
@Command(
        name = "load.sh",
        description =
                "Calls a method through the mesh, checks every answer, and joins its ledger with those of the providers.",
        sortOptions = false,
        footer = {
            "",
            "The method has one String parameter, and returns its hashCode() as an int or the text itself. Latencies count from the "
                    + "time at which a call was to be sent. The exit status is 0 only if no call was lost, answered wrongly or with "
                    + "another call's answer, executed twice, or executed although it was refused."
        })
public final class Load implements Callable<Integer> {
    @Option(
            names = "--target",
            split = ",",
            defaultValue = "127.0.0.1:20000",
            description = "consumer agents (${DEFAULT-VALUE})")
    private List<String> targets;

    @Option(
            names = "--rate",
            split = ",",
            description =
                    "calls per second of an open loop, such as 500; several, such as 500,2000,500, one after the other. Without it: "
                            + "a closed loop, each connection with one call after the other")
    private List<Double> rates;

    @Option(names = "--seconds", defaultValue = "10", description = "for each rate (${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--warmup",
            defaultValue = "0",
            description =
                    "seconds of the same load before (the first rate), which the verdict counts and the figures do not")
    private int warmupSeconds;

    @Option(names = "--connections", description = "at most (10000), or those of a closed loop (32)")
    private Integer connections;

    @Option(
            names = "--depth",
            defaultValue = "1",
            description = "calls that a connection may have at once: pipelining (${DEFAULT-VALUE})")
    private int depth;

    @Option(names = "--new-connections", description = "a new connection for each call")
    private boolean newConnections;

    @Option(names = "--format", defaultValue = "FORM", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private Request.Format format;

    @Option(names = "--interface", description = "Java interface (that of the demo)")
    private String service;

    @Option(names = "--method", description = "its method (hash)")
    private String method;

    @Option(names = "--returns", defaultValue = "HASH", description = "${COMPLETION-CANDIDATES} (${DEFAULT-VALUE})")
    private Request.Expected expected;

    @Option(
            names = "--size",
            defaultValue = "6",
            description = "characters of the parameter, at least 6 (${DEFAULT-VALUE})")
    private int parameterLength;

    @Option(
            names = "--answer-size",
            defaultValue = "0",
            description = "characters of the answer, if the stub provider adds some")
    private int answerLength;

    @Option(names = "--deadline-ms", defaultValue = "0", description = "X-Request-Timeout; the agent's own without it")
    private int deadlineMs;

    @Option(
            names = "--timeout",
            defaultValue = "10",
            description = "seconds until a call without an answer is lost (${DEFAULT-VALUE})")
    private int timeoutSeconds;

    @Option(
            names = "--give-up",
            description = "a closed loop ends when no connection could be made for so many seconds")
    private Integer giveUpSeconds;

    @Option(
            names = "--first",
            description = "number of the first call, 0 to " + (NumberedText.COUNT - 1)
                    + "; random, so that the providers' files may have the "
                    + "calls of other clients and earlier runs")
    private Integer firstNumber;

    @Option(
            names = "--slice",
            defaultValue = "1",
            description = "seconds of each line of the result (${DEFAULT-VALUE})")
    private double sliceSeconds;

    @Option(
            names = "--executed",
            split = ",",
            description =
                    "files of the providers with a line for each call that was executed: the hash of its parameter")
    private List<Path> executed;

    @Option(names = "--ledger", description = "file to which a line for each call is written")
    private Path ledgerFile;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "prints this")
    private boolean help;

    /** More than a run has. */
    private static final int MANY_CALLS = 1 << 26;

    private Load() {}

    public static void main(String[] args) {
        // Otherwise Netty waits in whole milliseconds if a timer is more than ten away.
        System.setProperty("io.netty.channel.epoll.epollWaitThreshold", "0");
        CommandLine command = new CommandLine(new Load());
        command.setCaseInsensitiveEnumValuesAllowed(true);
        command.setUsageHelpAutoWidth(true);
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Ledger ledger = LoadClient.run(plan());
        if (ledgerFile != null) {
            ledger.write(ledgerFile);
        }
        System.out.println(Slice.header());
        Duration step = Duration.ofNanos((long) (sliceSeconds * 1e9));
        Duration end = ledger.end();
        Duration warm = Duration.ofSeconds(warmupSeconds);
        for (Duration from = warm; from.compareTo(end) < 0; from = from.plus(step)) {
            System.out.println(ledger.slice(from, from.plus(step)));
        }
        System.out.println(ledger.slice(warm, end));
        Verdict verdict = ledger.verdict(executed == null ? Executions.unknown() : Executions.read(executed));
        System.out.println("LEDGER " + verdict);
        return verdict.isClean() ? 0 : 1;
    }

    private LoadPlan plan() {
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (String target : targets) {
            addresses.add(address(target));
        }
        boolean open = rates != null;
        LoadPlan.Connections shape = LoadPlan.Connections.of(connections != null ? connections : open ? 10_000 : 32)
                .withDepth(depth);
        Duration each = Duration.ofSeconds(seconds);
        LoadPlan plan = open
                ? LoadPlan.openLoop(addresses.get(0), schedule(each))
                : LoadPlan.closedLoop(addresses.get(0), shape.most(), each.plusSeconds(warmupSeconds));
        Request request = Request.DEFAULT
                .withFormat(format)
                .withLengths(parameterLength, answerLength)
                .withDeadlineMs(deadlineMs);
        request = service == null ? request : request.withService(service);
        request = request.withMethod(method == null ? request.method() : method, expected);
        return plan.withTargets(addresses)
                .withConnections(newConnections ? shape.withNewOnes() : shape)
                .withRequest(request)
                .withFirstNumber(
                        firstNumber != null
                                ? firstNumber
                                : ThreadLocalRandom.current().nextInt(NumberedText.COUNT - MANY_CALLS))
                .withTimeout(Duration.ofSeconds(timeoutSeconds))
                .withGiveUp(giveUpSeconds == null ? null : Duration.ofSeconds(giveUpSeconds));
    }

    private Schedule schedule(Duration each) {
        List<Schedule.Step> steps = new ArrayList<>();
        if (warmupSeconds > 0) {
            steps.add(new Schedule.Step(rates.get(0), Duration.ofSeconds(warmupSeconds)));
        }
        rates.forEach(rate -> steps.add(new Schedule.Step(rate, each)));
        return new Schedule(steps);
    }

    private InetSocketAddress address(String target) {
        int colon = target.lastIndexOf(':');
        try {
            return new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new ParameterException(new CommandLine(this), "--target: " + target + " (expected: HOST:PORT)");
        }
    }
}
