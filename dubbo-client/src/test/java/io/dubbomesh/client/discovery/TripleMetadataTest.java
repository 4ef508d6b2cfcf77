package io.dubbomesh.client.discovery;

import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.dubbo.DubboMetadata;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.testsupport.Hex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.List;
import java.util.Map;

import static io.dubbomesh.client.discovery.ScriptedHttp2.STATUS_200;
import static io.dubbomesh.client.discovery.ScriptedHttp2.headers;
import static io.dubbomesh.client.discovery.ScriptedHttp2.trailers;
import static io.dubbomesh.testsupport.Hex.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@Timeout(60)
class TripleMetadataTest {
    private static final String TOLD = "04" + text("told");

    private ScriptedHttp2 provider;

    @BeforeEach
    void listen() throws IOException {
        provider = new ScriptedHttp2();
    }

    @AfterEach
    void close() throws Exception {
        provider.close();
    }

    @Test
    void theFirstVersionIsAskedInHessianWithinAMessage() throws Exception {
        provider.answer(1, "0a 08" + text("hessian2") + "12 05" + TOLD);

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
        assertThat(provider.request(0))
                .startsWith("20" + "83" + "86")
                .contains("04" + "3a" + text("/org.apache.dubbo.metadata.MetadataService/getMetadataInfo"))
                .contains("0f10" + "16" + text("application/grpc+proto"))
                .contains("13" + text("tri-service-version") + "05" + text("1.0.0"))
                .contains("11" + text("tri-service-group") + "07" + text("greeter"))
                .endsWith("|" + "00" + "00000025" + "0a08" + text("hessian2") + "1207" + "06" + text("5aa8f2") + "1a10"
                        + text("java.lang.String"));
    }

    @Test
    void theSecondVersionIsAskedFirstWhereItIsNamed() throws Exception {
        ProtobufBuffer service = new ProtobufBuffer(64);
        int value = service.end();
        int parameter = service.end();
        service.textField(2, "3.3.6");
        service.textField(1, "release");
        service.message(7, parameter);
        service.textField(6, "com.example.Greeter");
        service.varintField(5, 50051);
        service.textField(4, "tri");
        service.textField(3, "1.0");
        service.textField(2, "a");
        service.textField(1, "com.example.Greeter");
        service.message(2, value);
        service.textField(1, "a/com.example.Greeter:1.0:tri");
        service.message(3, 0);
        service.textField(2, "5aa8f2");
        service.textField(1, "greeter");
        provider.answer(1, Hex.of(bytes(service)));

        DubboMetadata metadata = DubboMetadata.parse(query("2.0.0", 10_000).run("5aa8f2"));

        assertThat(metadata.application()).isEqualTo("greeter");
        assertThat(metadata.revision()).isEqualTo("5aa8f2");
        assertThat(metadata.services())
                .containsExactly(new DubboMetadata.Service(
                        "com.example.Greeter",
                        "1.0",
                        "a",
                        "tri",
                        50051,
                        "com.example.Greeter",
                        Map.of("release", "3.3.6")));
        assertThat(provider.request(0))
                .contains("3c" + text("/org.apache.dubbo.metadata.MetadataServiceV2/GetMetadataInfo"))
                .contains("13" + text("tri-service-version") + "05" + text("2.0.0"))
                .endsWith("|" + "00" + "00000008" + "0a06" + text("5aa8f2"));
    }

    @Test
    void anotherVersionIsAskedWhereOneIsRefused() throws Exception {
        provider.refuse(1, "12");
        provider.answer(3, "12 05" + TOLD);

        assertThat(query("2.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
    }

    @Test
    void aRevisionThatTheInstanceDoesNotHaveIsNone() throws Exception {
        provider.answer(1, "12 01 4e");

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isNull();
    }

    @Test
    void aFailureNamesTheAddressAndTheStatus() {
        provider.refuse(1, "12");
        provider.refuse(3, "5");

        assertThatThrownBy(() -> query("1.0.0", 10_000).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessage("tri://127.0.0.1:" + provider.port() + ": UNIMPLEMENTED: no");
    }

    @Test
    void whatIsNoHttp2IsAFailure() {
        assertThat(failure("ffffff 00 00 00000001")).contains("malformed frame: ");
    }

    @Test
    void anAnswerWithoutAStatusIsAFailure() {
        assertThat(failure(headers(1, 4, STATUS_200) + "000005 00 01 00000001 00 00000000"))
                .endsWith("the stream ended without a status");
    }

    @Test
    void aPeerThatSaysNothingIsNotWaitedForLongerThanTheTimeout() {
        provider.add("");
        assertThatThrownBy(() -> query("1.0.0", 200).run("5aa8f2"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("tri://127.0.0.1:" + provider.port() + ": ");
    }

    @Test
    void framesOfTheConnectionAreAnsweredAndPaddingIsLeftOut() throws Exception {
        String message = "12 05" + TOLD;
        provider.add("000008 06 00 00000000 0102030405060708"
                + "000004 08 00 00000000 00000001"
                + headers(1, 0, "")
                + String.format(
                        "%06x 09 04 00000001", STATUS_200.replace(" ", "").length() / 2) + STATUS_200
                + "00000f 00 08 00000001 02 00 00000007" + message + "0000"
                + trailers(1, "0", ""));

        assertThat(query("1.0.0", 10_000).run("5aa8f2")).isEqualTo("told");
    }

    private String failure(String answer) {
        provider.add(answer);
        try {
            return query("1.0.0", 10_000).run("5aa8f2");
        } catch (IOException e) {
            return e.getMessage();
        }
    }

    private static byte[] bytes(ProtobufBuffer message) {
        byte[] bytes = new byte[message.length()];
        System.arraycopy(message.array(), message.offset(), bytes, 0, bytes.length);
        return bytes;
    }

    private MetadataQuery query(String version, long timeoutMs) {
        return new MetadataQuery(
                new MetadataServiceAddress(
                        List.of(EndpointProtocol.TRIPLE.at("127.0.0.1", provider.port())), "greeter", version),
                Serialization.HESSIAN2,
                ProviderTls.NONE,
                timeoutMs);
    }
}
