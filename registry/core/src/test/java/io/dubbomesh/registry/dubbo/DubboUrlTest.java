package io.dubbomesh.registry.dubbo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DubboUrlTest {
    /** The name that Dubbo 2.7.23 gives the node. */
    private static final String NODE =
            "dubbo%3A%2F%2F192.0.2.7%3A20880%2Fcom.example.Greeter%3Fanyhost%3Dtrue%26application%3Dgreeter"
                    + "%26deprecated%3Dfalse%26dubbo%3D2.0.2%26dynamic%3Dtrue%26generic%3Dfalse%26group%3Da%26interface%3Dcom.example.Greeter"
                    + "%26methods%3Dgreet%2ChashOf%26pid%3D4711%26release%3D2.7.23%26side%3Dprovider%26timestamp%3D1795369800123"
                    + "%26token%3Ds3cret%26version%3D1.0%26weight%3D200";

    @Test
    void readsTheNameOfANode() {
        DubboUrl url = DubboUrl.parseEncoded(NODE);

        assertThat(url.protocol()).isEqualTo("dubbo");
        assertThat(url.host()).isEqualTo("192.0.2.7");
        assertThat(url.port()).isEqualTo(20880);
        assertThat(url.path()).isEqualTo("com.example.Greeter");
        assertThat(url.parameters()).hasSize(16).containsEntry("methods", "greet,hashOf");
        assertThat(url.number("timestamp", 0)).isEqualTo(1_795_369_800_123L);
    }

    @ParameterizedTest
    @CsvSource({
        "dubbo://192.0.2.7:20880/S, 192.0.2.7, 20880, S",
        "dubbo://[2001:db8::7]:20880/S, 2001:db8::7, 20880, S",
        "dubbo://2001:db8::7:20880/S, 2001:db8::7, 20880, S",
        "dubbo://provider.example:20880/S, provider.example, 20880, S",
        "dubbo://user:secret@192.0.2.7:20880/a/S, 192.0.2.7, 20880, a/S",
        "override://0.0.0.0/S, 0.0.0.0, 0, S",
        "dubbo://192.0.2.7:20880, 192.0.2.7, 20880, ''"
    })
    void readsHostPortAndPath(String text, String host, int port, String path) {
        DubboUrl url = DubboUrl.parse(text + "?weight=1");

        assertThat(url.host()).isEqualTo(host);
        assertThat(url.port()).isEqualTo(port);
        assertThat(url.path()).isEqualTo(path);
        assertThat(url.parameter("weight")).isEqualTo("1");
    }

    @Test
    void aParameterSetForAllServicesOfAProviderHoldsWhereItHasNoneOfItsOwn() {
        DubboUrl url = DubboUrl.parse("dubbo://192.0.2.7:20880/S?default.weight=7&default.token=a&token=b");

        assertThat(url.number("weight", 100)).isEqualTo(7);
        assertThat(url.parameter("token")).isEqualTo("b");
        assertThat(url.parameter("group")).isEmpty();
    }

    @Test
    void aValueMayHoldAnEqualsSignAndAParameterNone() {
        assertThat(DubboUrl.parse("dubbo://192.0.2.7:1/S?a=b=c&d&&=e").parameters())
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "b=c", "d", "d"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "S",
                "://a:1/S",
                "dubbo:/a:1/S",
                "dubbo:///S",
                "dubbo://a:x/S",
                "dubbo://a:65536/S",
                "du bbo://a:1"
            })
    void aMalformedUrlIsRefused(String text) {
        assertThatThrownBy(() -> DubboUrl.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dubbo%3A%2F%2Fa%3A1%2FS%3Fx%3D%zz", "dubbo%3A%2F%2Fa%3A1%2", "%"})
    void aNodeThatIsNotPercentEncodedIsRefused(String text) {
        assertThatThrownBy(() -> DubboUrl.parseEncoded(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsTooLongIsRefused() {
        assertThatThrownBy(() -> DubboUrl.parse("dubbo://a:1/" + "S".repeat(40_000)))
                .hasMessage("40012 characters (expected: at most 32768)");
        assertThatThrownBy(() -> DubboUrl.parse("dubbo://a:1/S?" + parameters(513)))
                .hasMessage("513 parameters (expected: at most 512)");
    }

    private static String parameters(int count) {
        StringBuilder query = new StringBuilder();
        for (int i = 0; i < count; i++) {
            query.append('p').append(i).append("=1&");
        }
        return query.toString();
    }

    @Test
    void theTextForLogsHoldsNoToken() {
        assertThat(DubboUrl.parseEncoded(NODE)).hasToString("dubbo://192.0.2.7:20880/com.example.Greeter");
    }
}
