package io.dubbomesh.provider;

import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u16;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.MeshFrame.define;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A peer cannot reach Dubbo's generic invocation: a provider makes an object of any class that its arguments name, and
 * Dubbo 2.6 and early 2.7 do so without a check. Only the agent itself writes {@code $invoke}, with arguments that name
 * no class.
 */
@Timeout(60)
class GenericInvocationTest {
    private static final String INVOKE_TYPES = "Ljava/lang/String;[Ljava/lang/String;[Ljava/lang/Object;";
    private static final String GADGET = "[\"hash\",[\"java.util.Map\"],[{\"class\":\"com.example.Gadget\"}]]";

    private final AgentFixture mesh;

    GenericInvocationTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private static String json(String attachments, String arguments) {
        return u32(5000) + u16(attachments.length() / 2) + attachments + text(arguments);
    }

    private static String attachment(String key, String value) {
        return u16(key.length()) + text(key) + u16(value.length()) + text(value);
    }

    private static String form(String... arguments) {
        StringBuilder hex = new StringBuilder(u32(5000) + "0000");
        for (String argument : arguments) {
            hex.append(u32(argument.length())).append(text(argument));
        }
        return hex.toString();
    }

    /** The agent refuses request 7, and the next request is the first that the provider gets. */
    private void assertRefused(String frames, int status, String code, String detail) throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.hashPeer();

        peer.send(frames);

        MeshFrame answer = peer.read();
        assertThat(answer.requestId()).isEqualTo(7);
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.document()).contains(code).contains(detail);
        peer.send(hash(8, "a"));
        assertThat(provider.read().body()).contains("04" + text("hash") + "12");
        assertThat(mesh.agent.limit().inService()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "$invoke," + INVOKE_TYPES,
        "$invokeAsync," + INVOKE_TYPES,
        "$invoke,?",
        "$invokeAsync,?",
        "$invoke,''",
        "$invoke,Ljava/lang/Object;"
    })
    void aGenericInvocationOfAPeerIsAMethodNotFound(String method, String types) throws Exception {
        assertRefused(
                define(2, names(HASHER, method, types, "", "")) + request(7, 2, 0x02, json("", GADGET)),
                14,
                "METHOD_NOT_FOUND",
                method);
    }

    @Test
    void aGenericInvocationInAFormIsAMethodNotFound() throws Exception {
        assertRefused(
                define(2, names(HASHER, "$invoke", INVOKE_TYPES, "", ""))
                        + request(
                                7,
                                2,
                                0x01,
                                form("hash", "[\"java.util.Map\"]", "[{\"class\":\"com.example.Gadget\"}]")),
                14,
                "METHOD_NOT_FOUND",
                "$invoke");
    }

    @Test
    void aGenericInvocationWithItsNamesInTheBodyIsAMethodNotFound() throws Exception {
        assertRefused(
                request(7, 0, 0x02, u32(5000) + "0000" + names(HASHER, "$invoke", INVOKE_TYPES, "", "") + text(GADGET)),
                14,
                "METHOD_NOT_FOUND",
                "$invoke");
    }

    @ParameterizedTest
    @ValueSource(strings = {"generic", "GENERIC", "token", "_TO", "sys_callback_arg-0"})
    void anAttachmentThatIsReservedForDubboIsABadRequest(String key) throws Exception {
        assertRefused(
                request(7, 1, 0x02, json(attachment(key, "true"), "[\"a\"]")),
                10,
                "BAD_REQUEST",
                "attachment \\\"" + key + "\\\"");
    }

    @Test
    void anEchoIsPassedOn() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();

        peer.send(define(2, names(HASHER, "$echo", "Ljava/lang/Object;", "", ""))
                + request(7, 2, 0x02, json("", "[\"a\"]")));

        assertThat(provider.read().body()).contains("05" + text("$echo") + "12" + text("Ljava/lang/Object;"));
    }
}
