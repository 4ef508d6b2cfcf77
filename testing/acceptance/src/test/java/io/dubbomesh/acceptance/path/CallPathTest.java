package io.dubbomesh.acceptance.path;

import io.dubbomesh.acceptance.path.TracedAgent.Entry;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Walks the two lists of classes in docs/understand/architecture.md with a call through both agents, whose event loops
 * are traced: a request and its answer visit all of these classes, and go on from
 * each of them once.
 */
@Timeout(180)
class CallPathTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();
    private static final Path PAGE = ROOT.resolve("docs/understand/architecture.md");
    private static final Pattern ROW = Pattern.compile("\\| (consumer|provider)? ?\\| `(\\w+)` \\| (.*) \\|");
    private static final Duration LIMIT = Duration.ofSeconds(90);
    /** Classes that begin a request or pass it on, and have nothing to do with answers. */
    private static final Set<String> OF_REQUESTS_ALONE =
            Set.of("HttpRequestParser", "CallReader", "RequestWriter", "RequestReader", "RequestServer");

    private static final String FLUSHED = "OutboundBatch.flush";
    private static final String REQUEST =
            HttpSocket.request("POST /a.B/m", "[]", "Content-Type: application/json", "X-Request-Timeout: 60000");

    /** The call that is traced waits at the provider until this is counted down. */
    private final CountDownLatch answering = new CountDownLatch(1);

    private volatile boolean traced;
    private volatile boolean reached;

    @Test
    void aCallVisitsTheClassesOfTheTwoListsAndGoesOnFromEachOnce(@TempDir Path directory) throws Exception {
        int port = Ports.free();
        Path registry = Files.createDirectory(directory.resolve("registry"));
        try (ScriptedProvider provider = new ScriptedProvider().serve((connection, call) -> {
                    if (traced) {
                        reached = true;
                        awaitAnswering();
                    }
                    connection.answerInt(call.id(), 42);
                });
                TracedAgent providerAgent = TracedAgent.start(
                        jar("provider-agent"),
                        directory.resolve("provider-agent.log"),
                        Map.of(
                                "dubbo.protocol.port", Integer.toString(provider.port()),
                                "dubbo.services", "a.B",
                                "server.host", "127.0.0.1",
                                "server.port", Integer.toString(Ports.free()),
                                "admin.port", Integer.toString(Ports.free()),
                                "mesh.heartbeat", "60s",
                                "dubbo.heartbeat", "60s",
                                "io.threads", "1",
                                "registry", "file:" + registry));
                TracedAgent consumerAgent = TracedAgent.start(
                        jar("consumer-agent"),
                        directory.resolve("consumer-agent.log"),
                        Map.of(
                                "server.port",
                                Integer.toString(port),
                                "admin.port",
                                Integer.toString(Ports.free()),
                                "mesh.heartbeat",
                                "60s",
                                "io.threads",
                                "1",
                                "registry",
                                "file:" + registry))) {
            Await.until(LIMIT, "a call is answered", () -> isAnswered(port));
            traced = true;
            try (HttpSocket client = new HttpSocket(port)) {
                consumerAgent.trace();
                providerAgent.trace();
                client.send(REQUEST);
                Await.until(LIMIT, "the call is at the provider", () -> reached);
                Await.until(LIMIT, "the REQUEST is traced", () -> consumerAgent.hasEntered(FLUSHED));
                Await.until(LIMIT, "the Dubbo request is traced", () -> providerAgent.hasEntered(FLUSHED));
                check("Request", "consumer", consumerAgent.take());
                check("Request", "provider", providerAgent.take());

                answering.countDown();
                assertThat(client.answer().status()).isEqualTo(200);
                Await.until(LIMIT, "the RESPONSE is traced", () -> providerAgent.hasEntered(FLUSHED));
                Await.until(LIMIT, "the answer is traced", () -> consumerAgent.hasEntered(FLUSHED));
                checkAnswer("provider", providerAgent.take());
                checkAnswer("consumer", consumerAgent.take());
            }
        }
    }

    private void awaitAnswering() {
        try {
            answering.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path jar(String module) {
        return ROOT.resolve(module).resolve("target").resolve(module + ".jar");
    }

    private static boolean isAnswered(int port) {
        try {
            return HttpSocket.once(port, REQUEST).status() == 200;
        } catch (Exception e) {
            return false;
        }
    }

    private static void check(String direction, String agent, List<Entry> trace) throws Exception {
        List<String> documented = documented(direction, agent);
        assertThat(trace.stream().map(Entry::className))
                .as("%s in the %s agent", direction, agent)
                .containsAll(documented);
        assertThat(trace.stream().filter(entry -> goesOnTwice(entry.stack(), documented)))
                .as("%s in the %s agent: a class that is called back goes on", direction, agent)
                .isEmpty();
    }

    /** Checks also that no request goes on while an answer is on the stack. */
    private static void checkAnswer(String agent, List<Entry> trace) throws Exception {
        check("Answer", agent, trace);
        List<String> ofAnswers = documented("Answer", agent);
        ofAnswers.removeAll(documented("Request", agent));
        assertThat(trace.stream()
                        .filter(entry -> entry.stack().stream().anyMatch(ofAnswers::contains))
                        .filter(entry -> entry.stack().stream().anyMatch(OF_REQUESTS_ALONE::contains)))
                .as("requests on the stack of an answer in the %s agent", agent)
                .isEmpty();
    }

    /**
     * Whether a class of the list is on the stack twice, with others of the list between and above: one that is called
     * back may be asked for what it knows, but goes on from there to no other class.
     */
    private static boolean goesOnTwice(List<String> stack, List<String> documented) {
        List<String> visited = new ArrayList<>();
        boolean isBack = false;
        for (String name : stack) {
            if (documented.contains(name)
                    && (visited.isEmpty() || !visited.get(visited.size() - 1).equals(name))) {
                if (isBack) {
                    return true;
                }
                isBack = visited.contains(name);
                visited.add(name);
            }
        }
        return false;
    }

    /** The classes of one agent in one list, but those that only some settings bring. */
    private static List<String> documented(String direction, String agent) throws Exception {
        List<String> classes = new ArrayList<>();
        String inList = "";
        String of = "";
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("**") && line.endsWith("**")) {
                inList = line.replace("*", "");
            }
            Matcher row = ROW.matcher(line);
            if (inList.equals(direction) && row.matches()) {
                of = row.group(1) == null ? of : row.group(1);
                if (of.equals(agent) && !row.group(3).startsWith("with `")) {
                    classes.add(row.group(2));
                }
            } else if (line.startsWith("**Without a provider agent")) {
                return classes.stream().distinct().collect(Collectors.toList());
            }
        }
        throw new AssertionError("the end of the lists in " + PAGE);
    }
}
