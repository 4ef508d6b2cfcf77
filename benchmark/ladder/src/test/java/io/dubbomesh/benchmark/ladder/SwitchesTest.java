package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.transport.socket.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SwitchesTest {
    @Test
    void standAtTheTopWithoutAWord() {
        assertThat(Switches.from(new Settings(Map.of())))
                .isEqualTo(new Switches(
                        Switches.Balance.WEIGHTED,
                        Switches.Wait.CALLBACK,
                        Switches.Link.MESH,
                        Switches.Loops.SHARED,
                        1,
                        Transport.EPOLL,
                        true,
                        true,
                        Switches.Http.OWN,
                        Switches.Flush.TURN,
                        Switches.Decode.BATCH,
                        256,
                        1));
    }

    @Test
    void leaveQuickAckAwayWithNio() {
        Switches switches = Switches.from(new Settings(Map.of("ladder.transport", "nio")));
        assertThat(switches.transport()).isEqualTo(Transport.NIO);
        assertThat(switches.quickAck()).isFalse();
    }

    @Test
    void refuseQuickAckWithNio() {
        assertRefused(
                Map.of("ladder.transport", "nio", "ladder.quickack", "true"),
                "ladder.quickack: true (expected: false with ladder.transport=nio)");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    balance           | robin | random, weighted
                    wait              | x     | future, callback
                    link              | grpc  | http, protobuf, mesh
                    loops             |       | own, shared
                    dubbo.connections | 0     | 1-64
                    transport         | auto  | nio, epoll
                    quickack          | yes   | true, false
                    nodelay           | TRUE  | true, false
                    http              | jetty | netty, own
                    flush             | never | write, turn
                    decode            | each  | frame, batch
                    workers           | many  | 1-4096
                    threads           | 65    | 1-64
                    """)
    void sayWhatTheyExpect(String key, String value, String expected) {
        String given = value == null ? "" : value;
        assertRefused(Map.of("ladder." + key, given), "ladder." + key + ": " + given + " (expected: " + expected + ")");
    }

    @Test
    void refuseAKeyThatIsNone() {
        assertThatThrownBy(() -> Switches.from(new Settings(Map.of("ladder.blance", "random"))))
                .hasMessageStartingWith("ladder.blance: no such switch (expected: ladder. and one of balance, wait, ");
    }

    @Test
    void theAgentsSayWhatTheyMiss() {
        assertThatThrownBy(() -> LadderConsumer.start(new Settings(Map.of("server.port", "0"))))
                .hasMessage("providers: missing (expected: host:port:weight,...)");
        assertThatThrownBy(() ->
                        LadderConsumer.start(new Settings(Map.of("server.port", "0", "providers", "127.0.0.1:30000"))))
                .hasMessage("providers: 127.0.0.1:30000 (expected: host:port:weight,...)");
        assertThatThrownBy(() ->
                        LadderConsumer.start(new Settings(Map.of("server.port", "0", "providers", "127.0.0.1:1:0"))))
                .hasMessage("providers, weight: 0 (expected: 1-1000)");
        assertThatThrownBy(() -> LadderProvider.start(new Settings(Map.of("server.port", "70000"))))
                .hasMessage("server.port: 70000 (expected: 0-65535)");
        assertThatThrownBy(() -> LadderProvider.start(new Settings(Map.of("server.port", "0", "dubbo.port", "1"))))
                .hasMessageStartingWith("dubbo.port: 1 (")
                .hasMessageContaining("refused");
    }

    private static void assertRefused(Map<String, String> values, String message) {
        assertThatThrownBy(() -> Switches.from(new Settings(values)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }
}
