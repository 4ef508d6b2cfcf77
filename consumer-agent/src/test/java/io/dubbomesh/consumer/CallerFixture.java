package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A consumer agent that takes the tokens of a file, those of ana and bo. */
abstract class CallerFixture extends AgentTest {
    static final String ANA = "Authorization: Bearer anas-token-of-26-characters";
    static final String BO = "Authorization: Bearer bos-token-0123456789";
    static final String WRONG = "Authorization: Bearer anas-token-of-26-characterz";

    @TempDir
    Path directory;

    ServingPeer peer;

    @RegisterExtension
    final RecordedLog logged = new RecordedLog("io.dubbomesh");

    void start(String... settings) throws Exception {
        peer = opened(new ServingPeer());
        writeTokens();
        startWithPorts(with(settings), peer.port());
    }

    void writeTokens() throws IOException {
        Path tokens = Files.writeString(
                directory.resolve("tokens"), "ana anas-token-of-26-characters\nbo bos-token-0123456789\n");
        Files.setPosixFilePermissions(tokens, PosixFilePermissions.fromString("rw-r-----"));
    }

    Map<String, String> with(String... settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "http.auth",
                "token",
                "http.auth.token-file",
                directory.resolve("tokens").toString()));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return all;
    }

    String rules(String... lines) throws IOException {
        return Files.write(directory.resolve("rules"), List.of(lines)).toString();
    }

    HttpAnswer call(String... headers) throws IOException {
        return client().call(Requests.form("argument", headers));
    }
}
