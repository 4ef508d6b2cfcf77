package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;

import static org.assertj.core.api.Assertions.assertThat;

class SocketFailureTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "finishConnect(..) failed with error(-111): Connection refused | Connection refused",
                "recvAddress(..) failed with error(-104): Connection reset by peer | Connection reset by peer",
                "writevAddresses(..) failed with error(-32): Broken pipe | Broken pipe",
                "Connection refused | Connection refused",
            })
    void theReasonIsTheSystemsWithoutItsCall(String message, String reason) {
        assertThat(SocketFailure.reason(new IOException(message))).isEqualTo(reason);
    }

    @Test
    void aFailureWithoutAMessageIsNamed() {
        assertThat(SocketFailure.reason(new ClosedChannelException())).endsWith("ClosedChannelException");
    }
}
