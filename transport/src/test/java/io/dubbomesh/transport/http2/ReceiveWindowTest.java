package io.dubbomesh.transport.http2;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReceiveWindowTest {
    private final ReceiveWindow window = new ReceiveWindow(100);

    @Test
    void consumedBytesAreGivenBackWhenTheyAreHalfOfTheWindow() throws Exception {
        window.receive(100);
        assertThat(window.consume(49)).isZero();
        assertThat(window.consume(1)).isEqualTo(50);
        assertThat(window.left()).isEqualTo(50);
        assertThatThrownBy(() -> window.receive(51)).isInstanceOf(ProtocolViolation.class);
    }

    @Test
    void aWiderWindowIsGivenAtOnceAndLastsUntilTheNextStream() throws Exception {
        window.receive(90);
        assertThat(window.widen(1000)).isEqualTo(900);
        assertThat(window.left()).isEqualTo(910);
        assertThat(window.widen(1000)).isZero();
        assertThat(window.widen(10)).isZero();
        window.receive(910);
        assertThat(window.consume(499)).isZero();
        assertThat(window.consume(1)).isEqualTo(500);
        window.reset();
        assertThat(window.left()).isEqualTo(100);
        assertThat(window.consume(50)).isEqualTo(50);
    }

    @Test
    void whatWasConsumedBeforeIsGivenBackWithTheWiderWindow() throws Exception {
        window.receive(60);
        assertThat(window.consume(40)).isZero();
        assertThat(window.widen(150)).isEqualTo(90);
        assertThat(window.left()).isEqualTo(130);
    }
}
