package io.dubbomesh.transport.grpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class GrpcCallTest {
    private final List<String> received = new ArrayList<>();
    private final GrpcCall call = new GrpcCall(new GrpcReceiver() {
        @Override
        public void onMessage(byte[] message) throws GrpcException {
            String hex = HexFormat.of().formatHex(message);
            if (hex.equals("ee")) {
                throw new GrpcException(GrpcStatus.CANCELLED, "enough");
            }
            received.add(hex);
        }

        @Override
        public void onEnd(GrpcException failure) {
            received.add(failure == null ? "end" : failure.status() + " - " + failure.getMessage());
        }
    });

    private static Http2Headers response() {
        return new DefaultHttp2Headers().status("200").set("content-type", "application/grpc");
    }

    private static Http2Headers trailers(int status, String message) {
        return new DefaultHttp2Headers().setInt("grpc-status", status).set("grpc-message", message);
    }

    private static ByteBuf data(String hex) {
        return Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex));
    }

    /** H headers, T trailers, D data, L data that end the stream, E the end of the connection. */
    @ParameterizedTest
    @CsvSource({
        "T,     end",
        "D,     INTERNAL - data before the headers",
        "L,     INTERNAL - data before the headers",
        "E,     UNAVAILABLE - gone",
        "HT,    end",
        "HH,    INTERNAL - headers after the first message",
        "HDT,   01 end",
        "HDDT,  01 01 end",
        "HL,    01 INTERNAL - the stream ended without a status",
        "HE,    UNAVAILABLE - gone",
        "HTH,   end",
        "HTT,   end",
        "HTD,   end",
        "HTL,   end",
        "HTE,   end",
    })
    void eachEventInEachState(String events, String expected) {
        for (char event : events.toCharArray()) {
            switch (event) {
                case 'H' -> call.onHeaders(response(), false);
                case 'T' -> call.onHeaders(response().setInt("grpc-status", 0), true);
                case 'D' -> call.onData(data("000000000101"), false);
                case 'L' -> call.onData(data("000000000101"), true);
                default -> call.end(new GrpcException(GrpcStatus.UNAVAILABLE, "gone"));
            }
        }
        assertThat(String.join(" ", received)).isEqualTo(expected);
        assertThat(call.isEnded()).isTrue();
    }

    @Test
    void aRefusalHasTheWordsOfEtcd() {
        call.onHeaders(response(), false);
        call.onHeaders(trailers(5, "etcdserver: requested lease not found"), true);
        assertThat(received).containsExactly("NOT_FOUND - NOT_FOUND: etcdserver: requested lease not found");
    }

    @Test
    void aMessageIsDecodedWherePossible() {
        call.onHeaders(response(), false);
        call.onHeaders(trailers(13, "100%25 %C3%A4 %zz %4"), true);
        assertThat(received).containsExactly("INTERNAL - INTERNAL: 100% ä %zz %4");
    }

    @ParameterizedTest
    @CsvSource({"99, UNKNOWN", "-1, UNKNOWN", "x, UNKNOWN", "16, UNAUTHENTICATED"})
    void aStatusIsReadByItsNumber(String number, GrpcStatus expected) {
        assertThat(GrpcStatus.parse(number)).isEqualTo(expected);
    }

    @Test
    void trailersWithoutAStatusAreAFailure() {
        call.onHeaders(response(), false);
        call.onHeaders(new DefaultHttp2Headers(), true);
        assertThat(received).containsExactly("UNKNOWN - UNKNOWN: no message");
    }

    @Test
    void whatIsNotGrpcIsRefused() {
        call.onHeaders(new DefaultHttp2Headers().status("404"), false);
        assertThat(received).containsExactly("UNAVAILABLE - HTTP status 404 (expected: 200)");

        received.clear();
        GrpcCall other = new GrpcCall(new GrpcReceiver() {
            @Override
            public void onMessage(byte[] message) {}

            @Override
            public void onEnd(GrpcException failure) {
                received.add(failure.getMessage());
            }
        });
        other.onHeaders(new DefaultHttp2Headers().status("200").set("content-type", "text/html"), false);
        assertThat(received).containsExactly("content type text/html (expected: application/grpc)");
    }

    @Test
    void aReceiverEndsTheCall() {
        call.onHeaders(response(), false);
        call.onData(data("000000000101" + "0000000001ee" + "000000000102"), false);
        assertThat(received).containsExactly("01", "CANCELLED - enough");
        assertThat(call.isEnded()).isTrue();
    }
}
