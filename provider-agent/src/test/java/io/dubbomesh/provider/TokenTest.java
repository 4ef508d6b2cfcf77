package io.dubbomesh.provider;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;

/** Providers that demand a token of their callers. */
@Timeout(60)
class TokenTest {
    private static final String REFUSAL =
            "com.alibaba.dubbo.rpc.RpcException: Invalid token! Forbid invoke remote service interface com.example.Hasher "
                    + "method hash() from consumer 192.0.2.1 to provider 192.0.2.2";

    private final AgentFixture mesh;

    @TempDir
    private Path directory;

    TokenTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private static String token(String value) {
        return "05" + text("token") + Hex.u8(value.length()) + text(value);
    }

    @Test
    void theTokenOfAServiceIsInEveryCall() throws Exception {
        mesh.with("dubbo.token", "other.Service=no, " + HASHER + "=s3cret");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(hash(1, "a") + hash(2, "b"));
        for (int i = 0; i < 2; i++) {
            assertThat(provider.read().body()).contains(token("s3cret"));
        }
    }

    @Test
    void aTokenFileIsReadAgainWhenItHasChanged() throws Exception {
        Path file = directory.resolve("tokens");
        Files.writeString(file, "# of all services\n\n  first \n");
        mesh.with("dubbo.token-file", file);
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        assertThat(provider.read().body()).contains(token("first"));

        replace(file, "a b=c");
        replace(file, HASHER + "=second\r\n");
        long[] id = {1};
        Await.until("calls have the new token", () -> {
            peer.send(hash(++id[0], "a"));
            DubboFrame call = provider.read();
            // Calls without an answer would soon be as many as may be in service.
            provider.answerInt(call.id(), 1);
            return call.body().contains(token("second"));
        });
    }

    private void replace(Path file, String content) throws Exception {
        Path written = Files.writeString(directory.resolve("written"), content);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void aRefusedTokenIsAFailureOfItsOwn() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        provider.answer(provider.read().id(), 70, longString(REFUSAL));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(38);
        assertThat(answer.document())
                .contains("\"status\":502")
                .contains("none is set for this service (dubbo.token or dubbo.token-file of the provider agent)");
    }

    @Test
    void aWrongTokenIsNotRepeated() throws Exception {
        mesh.with("dubbo.token", "s3cret");
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();
        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();
        provider.answer(call.id(), 70, longString(REFUSAL + ", consumer incorrect token is s3cret"));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(38);
        assertThat(answer.document())
                .contains("the provider refuses the token that is set for this service (dubbo.token or ")
                .doesNotContain("s3cret");
    }

    /** Hessian's form for 32 to 1,023 characters. */
    private static String longString(String ascii) {
        return Hex.u8(0x30 + ascii.length() / 256) + Hex.u8(ascii.length() % 256) + text(ascii);
    }
}
