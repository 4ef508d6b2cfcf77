package io.dubbomesh.consumer.upstream.call;

import io.dubbomesh.transport.call.PendingCalls;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ExpectedCallsTest {
    private final PendingCalls<UpstreamCall> pending = new PendingCalls<>(0, call -> {});
    private final ExpectedCalls expected = new ExpectedCalls(pending);

    private static UpstreamCall call() {
        return new UpstreamCall(new UpstreamCall.Listener() {
            @Override
            public void cancelled(UpstreamCall call) {}

            @Override
            public void resumed(UpstreamCall call) {}
        });
    }

    @Test
    void aCallIsLoadedByItsIdThoughItsClientHasLeft() {
        UpstreamCall call = call();
        long id = pending.add(call);

        expected.load(new long[] {id}, 1);
        assertThat(expected.sum()).isEqualTo((int) id);
        assertThat(pending.get(id)).isSameAs(call);
    }

    @Test
    void idsOfCallsThatHaveEndedOrNeverWereAreNoFault() {
        UpstreamCall call = call();
        long id = pending.add(call);
        pending.remove(call);

        long[] ids = {id, 0, -1, Long.MAX_VALUE, Long.MIN_VALUE, (1 << 20) - 1};
        expected.load(ids, ids.length);
        assertThat(expected.sum()).isZero();
    }
}
