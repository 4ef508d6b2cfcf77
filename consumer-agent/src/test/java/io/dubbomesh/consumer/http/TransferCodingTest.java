package io.dubbomesh.consumer.http;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class TransferCodingTest {
    @ParameterizedTest
    @CsvSource({
        "NONE,          CHUNKED,       OTHER,     ",
        "CHUNKED,       MISPLACED,     MISPLACED, ",
        "OTHER,         OTHER_CHUNKED, OTHER,     NOT_IMPLEMENTED",
        "OTHER_CHUNKED, MISPLACED,     MISPLACED, NOT_IMPLEMENTED",
        "MISPLACED,     MISPLACED,     MISPLACED, BAD_REQUEST",
    })
    void eachCodingInEachState(
            TransferCoding from, TransferCoding afterChunked, TransferCoding afterAnother, Outcome refusal) {
        assertThat(from.then(true)).isEqualTo(afterChunked);
        assertThat(from.then(false)).isEqualTo(afterAnother);
        CallException thrown = catchThrowableOfType(CallException.class, from::check);
        assertThat(thrown == null ? null : thrown.outcome()).isEqualTo(refusal);
    }
}
