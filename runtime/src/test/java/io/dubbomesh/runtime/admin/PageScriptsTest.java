package io.dubbomesh.runtime.admin;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;

/** The scripts of the page that need no browser, by Node.js; what they do in one is for {@code LivePageTest}. */
@Timeout(120)
class PageScriptsTest {
    private static final Path SCRIPTS = Path.of("src/main/resources/io/dubbomesh/runtime/admin");
    private static final Path TESTS = Path.of("src/test/js/page.test.mjs");

    @Test
    void theScriptsPassTheirTests() {
        ProcessBuilder node = new ProcessBuilder("node", "--test", TESTS.toString());
        node.environment().put("SCRIPTS", SCRIPTS.toAbsolutePath().toString());

        CompletedProcess.run(node, "").requireSuccess();
    }
}
