package io.dubbomesh.acceptance.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.dubbomesh.acceptance.mesh.Browser;
import io.dubbomesh.acceptance.mesh.LivePage;
import io.dubbomesh.testsupport.process.RunningProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The mesh of {@code scripts/demo.sh}: its calls, its page in a real browser, and beside it the fenced blocks of the
 * pages for users, one after the other: {@code console} has commands and what they print, {@code sh} commands that must
 * succeed, {@code hocon} a configuration that an agent takes, {@code json} a document. {@link SnippetListTest} finds
 * what is none of these.
 */
@Timeout(180)
class SnippetsTest {
    private static final Duration TO_RUN = Duration.ofSeconds(120);

    /** The name of the jar of the reader's interfaces in a page. */
    private static final Pattern JAR = Pattern.compile("\"([\\w-]+\\.jar)\"");

    /** The path of the file with the token of the mesh in a page. */
    private static final String TOKEN_FILE = "/etc/dubbo-mesh/token";

    private static final Path INTERFACES = Snippet.ROOT.resolve("testing/demo/api/target/classes");

    private static final Pattern PAGE = Pattern.compile("the mesh, live +(http://\\S+)");

    /** Weighted 1, 2, 3. */
    private static final List<String> ENDPOINTS = List.of("127.0.0.1:30000", "127.0.0.1:30010", "127.0.0.1:30020");

    private static DemoMesh mesh;

    @BeforeAll
    @Timeout(600)
    static void start() throws Exception {
        mesh = DemoMesh.start("SnippetsTest");
    }

    @AfterAll
    static void end() throws Exception {
        mesh.end();
    }

    private static List<Snippet> snippets(String language) throws IOException {
        NotRun notRun = NotRun.read();
        return Snippet.all().stream()
                .filter(snippet -> snippet.language().equals(language) && !notRun.has(snippet))
                .toList();
    }

    static List<Snippet> consoles() throws IOException {
        return snippets("console");
    }

    static List<Snippet> scripts() throws IOException {
        return snippets("sh");
    }

    static List<Snippet> configurations() throws IOException {
        return snippets("hocon");
    }

    static List<Snippet> documents() throws IOException {
        return snippets("json");
    }

    @Test
    void theDemoMakesItsCalls() {
        assertThat(mesh.output()).contains("600 of 600 answers are right");
    }

    @Test
    void thePageThatTheDemoNamesShowsTheSharesAndFollowsMeshctlWithinTwoSeconds() throws Exception {
        Matcher url = PAGE.matcher(mesh.output());
        assertThat(url.find()).as(mesh.output()).isTrue();
        RunningProcess load =
                mesh.startBeside("exec wrk -t1 -c10 -d170s -s testing/benchmark/wrk/form.lua http://127.0.0.1:20000");
        try (Browser browser = mesh.browser()) {
            browser.size(1280, 900, false);
            browser.open(url.group(1));
            LivePage page = new LivePage(browser);
            page.awaitText("#verdict", "All is well: 3 of 3 endpoints take calls.");
            page.awaitShares(ENDPOINTS, 17, 33, 50);
            try {
                meshctl("weight " + ENDPOINTS.get(0) + " 6");
                long startNs = System.nanoTime();
                page.awaitShares(ENDPOINTS, 55, 18, 27);
                assertThat(Duration.ofNanos(System.nanoTime() - startNs)).isLessThan(Duration.ofSeconds(2));
            } finally {
                meshctl("weight " + ENDPOINTS.get(0) + " 1");
            }
            page.awaitShares(ENDPOINTS, 17, 33, 50);
            assertThat(browser.complaints()).isEmpty();
        } finally {
            load.kill();
        }
    }

    private static void meshctl(String arguments) throws Exception {
        DemoMesh.Result result = mesh.run("meshctl " + arguments, TO_RUN);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @MethodSource("consoles")
    void aConsolePrintsWhatThePageShows(Snippet snippet) throws Exception {
        for (Snippet.Exchange exchange : snippet.exchanges()) {
            DemoMesh.Result result = mesh.run(exchange.command(), TO_RUN);
            if (exchange.output().isEmpty()) {
                assertThat(result.exitCode())
                        .as("%s\nprinted\n%s", exchange.command(), result.output())
                        .isZero();
            } else if (!ShownOutput.matches(exchange.output(), result.output())) {
                assertThat(result.output()).as(exchange.command()).isEqualTo(exchange.output());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("scripts")
    void aScriptSucceeds(Snippet snippet) throws Exception {
        DemoMesh.Result result = mesh.run(snippet.text(), TO_RUN);
        assertThat(result.exitCode())
                .as("%s printed\n%s", snippet, result.output())
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("configurations")
    void anAgentTakesAConfiguration(Snippet snippet) throws Exception {
        assertThat(snippet.firstLine()).matches("# \\S*(consumer|provider)\\S*\\.conf");
        String name = snippet.firstLine().substring(2).replaceAll(".*/", "");
        Path token = Files.writeString(mesh.directory().resolve("token"), "a-token-of-this-test\n");
        Files.writeString(mesh.directory().resolve(name), snippet.text().replace(TOKEN_FILE, token.toString()));
        for (MatchResult jar : JAR.matcher(snippet.text()).results().toList()) {
            Files.createSymbolicLink(mesh.directory().resolve(jar.group(1)), INTERFACES.toRealPath());
        }
        DemoMesh.Result result = mesh.run("meshctl check-config " + name, TO_RUN);
        assertThat(result.exitCode()).as(result.output()).isZero();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void aDocumentIsJson(Snippet snippet) throws IOException {
        try (JsonParser parser = new JsonFactory().createParser(snippet.text())) {
            int tokens = 0;
            while (parser.nextToken() != null) {
                tokens++;
            }
            assertThat(tokens).isPositive();
        }
    }
}
