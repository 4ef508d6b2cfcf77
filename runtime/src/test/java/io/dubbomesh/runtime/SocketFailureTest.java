package io.dubbomesh.runtime;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.PortUnreachableException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;

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
                "io exception: finishConnect(..) failed with error(-111): Connection refused | io exception: Connection refused",
                "java.net.ConnectException: Connection refused | Connection refused",
                "UNAVAILABLE: java.net.SocketException: Broken pipe | UNAVAILABLE: Broken pipe",
                "io.netty.channel.AbstractChannel$AnnotatedConnectException: finishConnect(..) failed with error(-111):"
                        + " Connection refused: /192.0.2.7:1 | Connection refused: /192.0.2.7:1",
                "no.such.Exception | no.such.Exception",
            })
    void theReasonIsTheSystemsWithoutItsCall(String message, String reason) {
        assertThat(SocketFailure.reason(new IOException(message))).isEqualTo(reason);
    }

    @Test
    void aFailureOfTheJdkWithoutAMessageIsToldInWords() {
        assertThat(SocketFailure.reason(new ConnectException())).isEqualTo("Connection refused");
        assertThat(SocketFailure.reason(new ClosedChannelException())).isEqualTo("the connection is closed");
        assertThat(SocketFailure.reason(new PortUnreachableException())).isEqualTo("Connection refused");
        assertThat(SocketFailure.reason(new UnknownHostException("ns.invalid"))).isEqualTo("unknown host ns.invalid");
        assertThat(SocketFailure.reason(new ConnectException().initCause(new UnresolvedAddressException())))
                .isEqualTo("unknown host");
    }

    @Test
    void aFaultOfTheProgramKeepsItsClass() {
        assertThat(SocketFailure.reason(new NoClassDefFoundError("a/B")))
                .isEqualTo("java.lang.NoClassDefFoundError: a/B");
    }

    @Test
    void anyOtherFailureWithoutAMessageIsNamed() {
        assertThat(SocketFailure.reason(new EOFException())).isEqualTo("EOFException");
    }
}
