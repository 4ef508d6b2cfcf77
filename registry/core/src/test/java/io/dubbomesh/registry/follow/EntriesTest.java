package io.dubbomesh.registry.follow;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import java.util.List;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class EntriesTest {
    private static final long GRACE_NS = 1_000;
    private static final long NOW_NS = 5;
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final String LEAVING = "{\"leaving\":true}";
    private static final String A = "/dubbomesh/com.example.Greeter/192.0.2.1:1";
    private static final String B = "/dubbomesh/com.example.Greeter/192.0.2.2:1";
    private static final String GREETER = "com.example.Greeter";

    @RegisterExtension
    final RecordedLog log = new RecordedLog(Registry.class);

    private final Entries entries = new Entries(GRACE_NS);

    private void put(String key, String value) {
        entries.put(key, value.getBytes(UTF_8), NOW_NS);
    }

    private List<String> greeters() {
        return Watcher.texts(entries.directory(), GREETER);
    }

    @Test
    void aServiceIsUnknownUntilItIsRegisteredAndEmptyAfterItsLastEndpointLeft() {
        assertThat(greeters()).isNull();
        put(A, "");
        assertThat(greeters()).containsExactly("192.0.2.1:1*1");
        entries.delete(A, NOW_NS);
        assertThat(greeters()).isEmpty();
        assertThat(entries.directory().services()).containsExactly(GREETER);
    }

    @Test
    void theDirectoryIsTheSameObjectUntilSomethingChanges() {
        put(A, "1");
        put("/dubbomesh/com.example.Clock/192.0.2.1:1", "1");
        Directory before = entries.directory();

        put(A, "{\"weight\":1}");
        entries.delete(B, NOW_NS);
        assertThat(entries.directory()).isSameAs(before);

        put(A, "2");
        assertThat(entries.directory()).isNotSameAs(before);
        assertThat(entries.directory().endpoints("com.example.Clock")).isSameAs(before.endpoints("com.example.Clock"));
    }

    @Test
    void aServiceDoesNotIncludeServicesWithALongerName() {
        put(A, "");
        put("/dubbomesh/com.example.Greeter2/192.0.2.2:1", "");
        put("/dubbomesh/com.example.Greeter.Inner/192.0.2.2:1", "");

        assertThat(greeters()).containsExactly("192.0.2.1:1*1");
    }

    @Test
    void theLastValidValueStaysAndEachMalformedOneIsLoggedOnce() {
        put(A, "5");
        put(A, "-1");
        put(A, "-1");
        put(A, "bad\nline");

        assertThat(greeters()).containsExactly("192.0.2.1:1*5");
        assertThat(log.warnings())
                .containsExactly(
                        "value of " + A + " ignored: -1: weight: -1 (expected: 0-1000); the endpoint stays as it was",
                        "value of " + A
                                + " ignored: bad\\nline: malformed JSON (expected: an object or a weight); the endpoint stays as it was");
    }

    @Test
    void aMalformedKeyIsLoggedOnce() {
        put("/dubbomesh/x\n/169.254.0.1:1", "1");
        put("/dubbomesh/x\n/169.254.0.1:1", "2");
        entries.delete("/dubbomesh/x\n/169.254.0.1:1", NOW_NS);

        assertThat(log.warnings()).hasSize(1);
        assertThat(log.warnings().get(0)).startsWith("key /dubbomesh/x\\n/169.254.0.1:1 ignored");
        assertThat(entries.directory().services()).isEmpty();
    }

    @Test
    void malformedKeysAreNotKeptHoweverLongTheyAre() {
        String longest = "x".repeat(1 << 20);
        for (int i = 0; i < 200; i++) {
            assertThat(entries.put("/dubbomesh/" + i + longest, new byte[0], NOW_NS))
                    .isFalse();
        }
        assertThat(entries.keys()).isEmpty();
        assertThat(log.warnings())
                .hasSize(Entries.LINES_PER_MINUTE)
                .allSatisfy(line -> assertThat(line).hasSizeLessThan(1_000));

        put(A, "");
        assertThat(greeters()).hasSize(1);
    }

    @Test
    void entriesMissingInANewListAreDeleted() {
        put(A, "");
        put(B, "");
        entries.retain(Set.of(B), NOW_NS);

        assertThat(greeters()).containsExactly("192.0.2.2:1*1");
    }

    @Test
    void entriesInDoubtStayForTheGrace() {
        put(A, "");
        put(B, "");
        entries.markSuspect(Set.of(), 100);
        entries.markSuspect(Set.of(), 900);
        entries.retain(Set.of(), NOW_NS);
        entries.expire(100 + GRACE_NS - 1);
        assertThat(greeters()).hasSize(2);

        put(A, "");
        entries.expire(100 + GRACE_NS);
        assertThat(greeters()).containsExactly("192.0.2.1:1*1");
    }

    @Test
    void anEntryInDoubtMayBeDeleted() {
        put(A, "");
        entries.markSuspect(Set.of(), 100);
        entries.delete(A, NOW_NS);

        assertThat(greeters()).isEmpty();
    }

    @Test
    void moreEndpointsThanAServiceMayHaveAreLeftOutUntilThereIsRoom() {
        for (int i = 0; i < 4100; i++) {
            put("/dubbomesh/com.example.Greeter/192.0.2.1:" + (10_000 + i), "");
        }
        assertThat(greeters()).hasSize(4096).last().isEqualTo("192.0.2.1:14095*1");
        assertThat(log.warnings())
                .containsExactly("com.example.Greeter: more than 4096 endpoints, the rest is ignored");

        entries.delete("/dubbomesh/com.example.Greeter/192.0.2.1:10000", NOW_NS);
        assertThat(greeters()).hasSize(4096).last().isEqualTo("192.0.2.1:14096*1");
        assertThat(log.warnings()).hasSize(1);
    }

    @Test
    void anEndpointTooManyThatComesAndGoesIsLoggedSoOftenAMinute() {
        for (int i = 0; i < 4096; i++) {
            put("/dubbomesh/com.example.Greeter/192.0.2.1:" + (10_000 + i), "");
        }
        for (int i = 0; i < 100; i++) {
            put(B, "");
            entries.directory();
            entries.delete(B, NOW_NS);
            entries.directory();
        }
        assertThat(log.warnings()).hasSize(10);
    }

    private boolean isDeregistered(String host) {
        return entries.directory().isDeregistered(GREETER, host + ":1");
    }

    @Test
    void anEndpointThatSaysThatItLeavesIsNotListedAndCountsAsDeregistered() {
        put(A, "");
        put(B, "");

        put(A, LEAVING);

        assertThat(greeters()).containsExactly("192.0.2.2:1*1");
        assertThat(isDeregistered("192.0.2.1")).isTrue();
        assertThat(isDeregistered("192.0.2.2")).isFalse();
        assertThat(entries.directory().isDeregistered("com.example.Clock", "192.0.2.1:1"))
                .isFalse();
    }

    @Test
    void aDeregistrationIsRememberedWhenTheKeyIsDeletedAtOnce() {
        put(A, "");
        entries.directory();

        put(A, LEAVING);
        entries.delete(A, NOW_NS);

        assertThat(greeters()).isEmpty();
        assertThat(isDeregistered("192.0.2.1")).isTrue();
    }

    @Test
    void aKeyThatLapsesIsNoDeregistration() {
        put(A, "");
        put(B, "");
        entries.delete(A, NOW_NS);
        entries.retain(Set.of(), NOW_NS);

        assertThat(greeters()).isEmpty();
        assertThat(isDeregistered("192.0.2.1")).isFalse();
        assertThat(isDeregistered("192.0.2.2")).isFalse();
    }

    @Test
    void anEndpointThatRegistersAgainIsNotDeregisteredAnyMore() {
        put(A, LEAVING);
        entries.delete(A, NOW_NS);
        put(A, "");

        assertThat(greeters()).containsExactly("192.0.2.1:1*1");
        assertThat(isDeregistered("192.0.2.1")).isFalse();
    }

    @Test
    void aKeyThatLapsesAfterItsEndpointRegisteredAgainIsNoDeregistration() {
        put(A, LEAVING);
        entries.delete(A, NOW_NS);
        put(A, "");
        entries.delete(A, NOW_NS);

        assertThat(greeters()).isEmpty();
        assertThat(isDeregistered("192.0.2.1")).isFalse();
    }

    @Test
    void aDeregistrationIsForgottenAfterTenSeconds() {
        put(A, LEAVING);
        entries.delete(A, NOW_NS);
        entries.expire(NOW_NS + Entries.DEREGISTERED_NS - 1);
        put(B, "");
        assertThat(isDeregistered("192.0.2.1")).isTrue();

        entries.expire(NOW_NS + Entries.DEREGISTERED_NS);
        put(B, "2");
        assertThat(isDeregistered("192.0.2.1")).isFalse();
    }

    @Test
    void linesAboutMalformedValuesAreBoundedPerMinute() {
        for (int i = 0; i < Entries.LINES_PER_MINUTE + 5; i++) {
            put("/dubbomesh/com.example.Greeter/192.0.2.1:" + (10_000 + i), "x");
        }
        entries.expire(NOW_NS + MINUTE_NS - 1);
        assertThat(log.warnings()).hasSize(Entries.LINES_PER_MINUTE);

        entries.expire(NOW_NS + MINUTE_NS);

        assertThat(log.warnings())
                .hasSize(Entries.LINES_PER_MINUTE + 1)
                .last()
                .isEqualTo("5 more lines about malformed or surplus entries were not logged");
    }

    @Test
    void endpointsComeAndGoWithoutALine() {
        put(A, "");
        put(A, "2");
        entries.delete(A, NOW_NS);

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void keysBeyondTheMaximumAreIgnoredUntilThereIsRoom() {
        for (int i = 0; i < Entries.MAX_ENTRIES; i++) {
            put("/dubbomesh/com.example.Service" + i % 100 + "/192.0.2.1:" + (1 + i / 100), "");
        }
        assertThat(entries.put(A, new byte[0], NOW_NS)).isFalse();
        assertThat(entries.put(B, new byte[0], NOW_NS)).isFalse();
        assertThat(greeters()).isNull();
        assertThat(log.warnings()).containsExactly("more than 65536 keys below /dubbomesh/, the rest is ignored");

        assertThat(entries.pollRoom()).isFalse();

        entries.delete("/dubbomesh/com.example.Service0/192.0.2.1:1", NOW_NS);
        assertThat(entries.pollRoom()).isTrue();
        assertThat(entries.pollRoom()).isFalse();
        assertThat(entries.put(A, new byte[0], NOW_NS)).isTrue();
        assertThat(greeters()).containsExactly("192.0.2.1:1*1");
    }
}
