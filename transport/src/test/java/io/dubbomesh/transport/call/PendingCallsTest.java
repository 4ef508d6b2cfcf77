package io.dubbomesh.transport.call;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PendingCallsTest {
    private static final long MS = 1_000_000;
    private static final long START = Long.MAX_VALUE - 500 * MS;

    private final PendingCalls<Call> calls = new PendingCalls<>(0, Call::expired);
    private final List<Call> failed = new ArrayList<>();

    private class Call extends PendingCall {
        void expired() {
            assertThat(id()).isZero();
            failed.add(this);
        }
    }

    @Test
    void aCallIsFoundByItsIdUntilItIsTakenOut() {
        Call call = new Call();
        long id = calls.add(call);

        assertThat(id).isNotZero();
        assertThat(calls.get(id)).isSameAs(call);
        calls.remove(call);
        assertThat(calls.get(id)).isNull();
        assertThat(calls.size()).isZero();
    }

    @Test
    void aLateAnswerFindsNoCallThoughItsSlotIsUsedAgain() {
        Call call = new Call();
        long early = calls.add(call);
        calls.remove(call);
        long late = calls.add(call);

        assertThat(calls.get(early)).isNull();
        assertThat(calls.get(late)).isSameAs(call);
    }

    @Test
    void idsThatWereNeverGivenAreUnknown() {
        calls.add(new Call());

        for (long id : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 2 << 20, (1 << 20) - 1}) {
            assertThat(calls.get(id)).isNull();
        }
    }

    @Test
    void noCallFailsBeforeItsDeadlineAndEveryCallSoonAfter() {
        Call call = new Call();
        calls.add(call, 50 * MS);
        for (long now = 0; now <= 50; now++) {
            calls.sweep(now * MS);
            assertThat(failed).isEmpty();
        }
        calls.sweep(70 * MS);
        assertThat(failed).containsExactly(call);
        assertThat(calls.size()).isZero();
    }

    @Test
    void aDeadlineFarBeyondTheRingIsKept() {
        calls.add(new Call(), 200_000 * MS);
        for (long now = 0; now < 200_000; now += 7) {
            calls.sweep(now * MS);
            assertThat(failed).isEmpty();
        }
        calls.sweep(200_021 * MS);
        assertThat(failed).hasSize(1);
    }

    @Test
    void aLateSweepMissesNothing() {
        for (int i = 0; i < 100; i++) {
            calls.add(new Call(), i * 1000 * MS);
        }
        calls.sweep(150_000 * MS);
        assertThat(failed).hasSize(100);
    }

    @Test
    void aCallWhoseDeadlineHasPassedWhenItIsAddedFailsAtTheNextSweep() {
        calls.sweep(5000 * MS);
        Call late = new Call();
        Call later = new Call();
        calls.add(late, 4000 * MS);
        calls.add(later, 4999 * MS);
        calls.remove(later);
        calls.sweep(5010 * MS);

        assertThat(failed).containsExactly(late);
        assertThat(calls.hasDeadlines()).isFalse();
    }

    @Test
    void aFailedCallMayBeAddedAgainAndOthersTakenOutByTheCallback() {
        Call other = new Call();
        Call again = new Call() {
            @Override
            void expired() {
                calls.remove(other);
                calls.add(this, 900 * MS);
            }
        };
        calls.add(other, 5 * MS);
        calls.add(again, 5 * MS);
        calls.sweep(40 * MS);

        assertThat(failed).isEmpty();
        assertThat(calls.size()).isEqualTo(1);
    }

    @Test
    void aCallThatIsAddedByACallbackWithADeadlineThatHasPassedIsLeftToTheNextSweep() {
        Call again = new Call() {
            @Override
            void expired() {
                super.expired();
                assertThat(failed).as("by so many sweeps").hasSizeLessThan(4);
                calls.add(this, 5 * MS);
            }
        };
        calls.add(again, 5 * MS);

        calls.sweep(40 * MS);
        assertThat(failed).hasSize(1);
        calls.sweep(50 * MS);
        assertThat(failed).hasSize(2);
        calls.sweep(500_000 * MS);
        assertThat(failed).as("after more than a round of the ring").hasSize(3);
    }

    @Test
    void aSweepWhoseCallbackFailsIsFinishedByTheNextOne() {
        calls.add(
                new Call() {
                    @Override
                    void expired() {
                        throw new IllegalStateException("a callback");
                    }
                },
                5 * MS);
        Call other = new Call();
        calls.add(other, 25 * MS);

        assertThatThrownBy(() -> calls.sweep(40 * MS)).hasMessage("a callback");
        assertThat(failed).isEmpty();
        assertThat(calls.nextSweepNs()).isLessThanOrEqualTo(40 * MS);
        calls.sweep(41 * MS);
        assertThat(failed).containsExactly(other);
    }

    @Test
    void thousandsOfCallsInRandomOrderEachEndOnce() {
        Random random = new Random(512);
        Set<Call> pending = new HashSet<>();
        int ended = 0;
        int added = 0;
        for (long now = 0; now < 3000; now++) {
            for (int i = random.nextInt(20); i > 0; i--) {
                Call call = new Call();
                long id = calls.add(call, (now + random.nextInt(400)) * MS);
                assertThat(calls.get(id)).isSameAs(call);
                pending.add(call);
                added++;
            }
            for (Call call : pending.stream().limit(random.nextInt(8)).toList()) {
                calls.remove(call);
                pending.remove(call);
                ended++;
            }
            calls.sweep(now * MS);
            assertThat(pending).containsAll(failed);
            pending.removeAll(failed);
            ended += failed.size();
            failed.clear();
            assertThat(calls.size()).isEqualTo(pending.size());
        }
        assertThat(ended + pending.size()).isEqualTo(added);
    }

    @Test
    void aClockNearItsEndIsFine() {
        PendingCalls<Call> late = new PendingCalls<>(START, Call::expired);
        Call call = new Call();
        long deadline = START + 400 * MS;
        late.add(call, deadline);
        late.sweep(START + 390 * MS);
        assertThat(failed).isEmpty();
        late.sweep(START + 450 * MS);
        assertThat(failed).containsExactly(call);
    }

    @Test
    void everyPendingCallIsVisitedThoughTheVisitorTakesItOut() {
        for (int i = 0; i < 200; i++) {
            calls.add(new Call());
        }
        List<Call> visited = new ArrayList<>();
        calls.forEach(call -> {
            visited.add(call);
            calls.remove(call);
        });
        assertThat(visited).hasSize(200).doesNotHaveDuplicates();
        assertThat(calls.size()).isZero();
    }
}
