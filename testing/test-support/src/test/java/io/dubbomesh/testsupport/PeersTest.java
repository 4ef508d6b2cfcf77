package io.dubbomesh.testsupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.InetAddress;
import java.net.Socket;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class PeersTest {
    @Test
    void framesOfTheMeshAreThoseOfItsSpecification() {
        assertThat(MeshFrame.hello(180, 4096))
                .isEqualTo("d3e50101" + "00000000" + "0000000000000000" + "00000000" + "0000000c" + "0101" + "000000b4"
                        + "00001000" + "0000");
        assertThat(MeshFrame.define(7, MeshFrame.names("a", "b", "I", "", "g")))
                .isEqualTo("d3e50102" + "00000000" + "0000000000000000" + "00000007" + "0000000e" + "000161" + "000162"
                        + "000149" + "0000" + "000167");
        assertThat(MeshFrame.request(9, 7, MeshFrame.FORM, MeshFrame.formBody(50, "x")))
                .isEqualTo("d3e50103" + "00010000" + "0000000000000009" + "00000007" + "0000000b" + "00000032" + "0000"
                        + "00000001" + "78");
        assertThat(MeshFrame.response(9, 0, 2, "", "ok"))
                .isEqualTo("d3e50104" + "00020000" + "0000000000000009" + "00000000" + "00000004" + "0000" + "6f6b");
    }

    @Test
    void aConsumerPeerAndAProviderPeerUnderstandEachOther() throws Exception {
        try (ProviderPeer provider = new ProviderPeer(180, 4096);
                MeshConnection consumer = MeshConnection.connect(provider.port())) {
            assertThat(consumer.exchangeHellos().body()).isEqualTo("0101" + "000000b4" + "00001000" + "0000");
            consumer.send(MeshFrame.define(1, MeshFrame.names("a.B", "m", "I", "", "")));
            consumer.send(MeshFrame.request(5, 1, MeshFrame.FORM, MeshFrame.formBody(50, "7")));
            consumer.settle();

            ProviderPeer.Received request = provider.nextRequest();
            assertThat(request.requestId()).isEqualTo(5);
            assertThat(provider.hasNone()).isTrue();
            provider.answer(request, 0, 1, "seven");

            MeshFrame response = consumer.read();
            assertThat(response.requestId()).isEqualTo(5);
            assertThat(response.document()).isEqualTo("seven");

            provider.goAway("drains");
            assertThat(consumer.readGoAway()).isEqualTo("drains");
            provider.closeLinks();
            assertThat(consumer.isAtEnd()).isTrue();
        }
    }

    @Test
    void aScriptIsGivenCallsAndHeartbeatsAreAnswered() throws Exception {
        String call = "05'2.0.2' 03'a.B' 05'0.0.0' 04'hash' 00";
        try (ScriptedProvider provider = new ScriptedProvider();
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), provider.port());
                DubboConnection client = new DubboConnection(socket, 10_000)) {
            provider.serve((connection, frame) ->
                    connection.answer(frame.id(), DubboFrame.OK, "91" + DubboFrame.string(frame.method())));

            client.send(DubboFrame.frame(0xe2, 0, 1, "4e"));
            assertThat(client.read()).isEqualTo(new DubboFrame("dabb2214", 1, "4e"));
            client.send(DubboFrame.frame(0xc2, 0, 2, call));
            assertThat(client.read()).isEqualTo(new DubboFrame("dabb0214", 2, "910468617368"));
            assertThat(provider.calls()).hasSize(1);
        }
    }
}
