package io.dubbomesh.provider;

import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.provider.HashCalls.hash;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.Hex.u32;
import static io.dubbomesh.testsupport.Hex.u8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Providers that implement {@code GenericService}: they know no method but {@code $invoke}, and Dubbo 3 does not tell
 * it in advance.
 */
@Timeout(60)
class GenericServiceTest {
    private static final String INVOKE = "07" + text("$invoke");
    private static final String GENERIC = "07" + text("generic") + "04" + text("true");
    /** The answer of Dubbo 3.2. */
    private static final String UNKNOWN_METHOD = hessian("Service not found:" + HASHER + ", hash");
    /** The answer of the generic filter of an ordinary service. */
    private static final String NO_SUCH_METHOD = hessian("org.apache.dubbo.rpc.RpcException: No such method hash");

    private final AgentFixture mesh;
    private DubboConnection provider;
    private MeshConnection peer;

    GenericServiceTest() throws Exception {
        mesh = new AgentFixture();
    }

    @BeforeEach
    void start() throws Exception {
        provider = mesh.startAndAccept();
        peer = mesh.hashPeer();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    /** A string of 32 to 1,023 characters. */
    private static String hessian(String ascii) {
        return u8(0x30 + (ascii.length() >> 8)) + u8(ascii.length() & 0xff) + text(ascii);
    }

    private DubboFrame refuseNative() throws Exception {
        DubboFrame call = provider.read();
        assertThat(call.method()).isEqualTo("hash");
        provider.send(DubboFrame.answer(call.id(), 40, UNKNOWN_METHOD));
        return provider.read();
    }

    @Test
    void aMethodThatTheProviderDoesNotKnowIsCalledThroughInvoke() throws Exception {
        peer.send(hash(1, "hello"));

        DubboFrame call = refuseNative();

        assertThat(call.body())
                .contains(INVOKE)
                .contains("04" + text("hash") + "5849" + u32(1) + "10" + text("java.lang.String"))
                .contains("05" + text("hello"))
                .contains(GENERIC);
        provider.send(DubboFrame.answer(call.id(), 20, "9105" + text("world")));
        assertThat(peer.read()).isEqualTo(new MeshFrame(4, 0, 0x01, 1, "0000" + text("world")));
    }

    @Test
    void afterThatItIsCalledThroughInvokeAtOnce() throws Exception {
        peer.send(hash(1, "a"));
        provider.send(DubboFrame.answer(refuseNative().id(), 20, "9105" + text("first")));
        peer.read();

        peer.send(hash(2, "b"));

        DubboFrame call = provider.read();
        assertThat(call.body()).contains(INVOKE).contains(GENERIC);
        provider.send(DubboFrame.answer(call.id(), 20, "9106" + text("second")));
        assertThat(peer.read().document()).isEqualTo("second");
    }

    @Test
    void aMethodThatIsUnknownToInvokeTooIsNotFoundAndTriedNativelyTheNextTime() throws Exception {
        peer.send(hash(1, "a"));
        provider.send(DubboFrame.answer(refuseNative().id(), 70, NO_SUCH_METHOD));
        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(14);
        assertThat(answer.document()).contains("METHOD_NOT_FOUND").contains("No such method hash");

        peer.send(hash(2, "b"));

        assertThat(provider.read().method()).isEqualTo("hash");
        assertThat(mesh.agent.limit().inService()).isEqualTo(1);
    }

    /** Dubbo 3.3 says the same of an argument that it cannot read. */
    @Test
    void aMethodThatTheProviderHasAnsweredIsNotCalledThroughInvokeWhateverItSaysOfAnotherArgument() throws Exception {
        peer.send(hash(1, "a"));
        provider.answerInt(provider.read().id(), 5);
        peer.read();

        peer.send(hash(2, "b"));
        provider.send(DubboFrame.answer(provider.read().id(), 40, UNKNOWN_METHOD));

        assertThat(peer.read().document()).contains("METHOD_NOT_FOUND");
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aCallWhoseTimeIsOverIsNotSentThroughInvoke() throws Exception {
        peer.send(hash(1, "a", 1));
        DubboFrame call = provider.read();
        Thread.sleep(10);
        provider.send(DubboFrame.answer(call.id(), 40, UNKNOWN_METHOD));

        peer.send(hash(2, "b"));

        assertThat(provider.read().method()).isEqualTo("hash");
    }

    @Test
    void anotherErrorOfTheProviderIsTheAnswer() throws Exception {
        peer.send(hash(1, "a"));

        provider.send(
                DubboFrame.answer(provider.read().id(), 40, hessian("Fail to decode request due to: a bad class")));

        assertThat(peer.read().document()).contains("BAD_REQUEST").contains("a bad class");
        assertThat(mesh.agent.limit().inService()).isZero();
    }

    @Test
    void aCallIsGivenBackIfTheProviderBecomesReadOnlyBeforeItIsSentThroughInvoke() throws Exception {
        peer.send(hash(1, "a"));
        DubboFrame call = provider.read();

        provider.send(DubboFrame.frame(0xa2, 0, 9, "0152") + DubboFrame.answer(call.id(), 40, UNKNOWN_METHOD));

        assertThat(peer.read().status()).as("NOT_EXECUTED").isEqualTo(1);
        assertThat(mesh.agent.limit().inService()).isZero();
    }
}
