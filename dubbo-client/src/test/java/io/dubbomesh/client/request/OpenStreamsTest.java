package io.dubbomesh.client.request;

import io.dubbomesh.client.call.OpenStream;
import io.dubbomesh.protocol.MalformedFrameException;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class OpenStreamsTest {
    private final OpenStreams streams = new OpenStreams();
    private final List<String> events = new ArrayList<>();

    /** A stream that ends as a call does: it is removed within its end. */
    private final class Stream implements OpenStream {
        private final long id;

        Stream(long id) {
            this.id = id;
        }

        @Override
        public void consumed(int windowBytes) {
            events.add(id + " consumed " + windowBytes);
        }

        @Override
        public void cancel() {
            events.add(id + " cancelled");
            streams.remove(id, this);
        }

        @Override
        public void fail(Outcome outcome, String detail) {
            events.add(id + " " + outcome + " " + detail);
            streams.remove(id, this);
        }
    }

    private Stream open(long id) {
        Stream stream = new Stream(id);
        assertThat(streams.add(id, stream)).isTrue();
        return stream;
    }

    @Test
    void aStreamGetsTheBytesThatWereTaken() throws Exception {
        open(1);
        open(2);
        streams.sent(1, 100, 50);
        streams.consumed(1, 60);
        streams.consumed(1, 40);
        assertThat(events).containsExactly("1 consumed 60", "1 consumed 40");
    }

    /** Each number as it is in the frame. */
    @ParameterizedTest
    @CsvSource({"0", "101", "-1", "-2147483648", "2147483647"})
    void bytesThatWereNotSentAreRefused(int bytes) {
        open(1);
        streams.sent(1, 100, 50);
        assertThatThrownBy(() -> streams.consumed(1, bytes))
                .isInstanceOf(MalformedFrameException.class)
                .hasMessage("CREDIT: " + Integer.toUnsignedString(bytes)
                        + " bytes of request 1 (expected: 1 to the 100 that were sent)");
        assertThat(events).isEmpty();
    }

    /** The frames of both sides may cross. */
    @Test
    void whatComesForAStreamThatHasEndedIsIgnored() throws Exception {
        Stream ended = open(1);
        streams.remove(1, ended);
        streams.consumed(1, Integer.MIN_VALUE);
        streams.cancel(1);
        streams.cancel(2);
        assertThat(events).isEmpty();
    }

    @Test
    void theIdOfAnOpenStreamIsNotTakenByAnother() {
        Stream first = open(1);
        Stream second = new Stream(1);
        assertThat(streams.add(1, second)).isFalse();
        streams.remove(1, second);
        assertThat(streams.size()).isOne();
        streams.remove(1, first);
        assertThat(streams.size()).isZero();
    }

    @Test
    void allStreamsEndWithTheirLink() {
        open(1);
        open(2);
        streams.cancelAll();
        assertThat(events).containsExactlyInAnyOrder("1 cancelled", "2 cancelled");
        assertThat(streams.size()).isZero();
        open(3);
        streams.failAll(Outcome.NO_PROVIDER, "going away");
        assertThat(events).last().isEqualTo("3 NO_PROVIDER going away");
        assertThat(streams.size()).isZero();
    }

    /** The JSON of five bytes may be a MiB. */
    @Test
    void aStreamWhoseOutputPilesUpIsRefusedItsNextMessage() throws Exception {
        open(1);
        for (int i = 0; i < 5; i++) {
            streams.sent(1, 5, 1 << 20);
            assertThat(streams.refusal(1, false)).isNull();
        }
        streams.sent(1, 5, 1 << 20);
        assertThat(streams.refusal(1, false)).contains("5242880 bytes of the stream wait for it");
        streams.consumed(1, 18);
        assertThat(streams.refusal(1, false)).isNull();
        assertThat(streams.refusal(1, true)).contains("2097152 bytes");
        streams.consumed(1, 12);
        assertThat(streams.refusal(1, true)).isNull();
    }
}
