package io.dubbomesh.consumer.auth;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.testsupport.Await;
import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.util.EnumSet;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class KnownTokenTest {
    private final RuleTable rules = RuleTable.parse("allow ana a.B#m", EnumSet.of(AuthSettings.Kind.TOKEN));
    private final KnownToken ana = new KnownToken(
            new byte[0], new Caller(AuthSettings.Kind.TOKEN, "ana", Set.of(), Caller.NEVER, null), "ana");

    private static MethodName version(String version) {
        return new MethodName("a.B", "m", "", version, "");
    }

    @Test
    void whatIsAllowedIsAskedAgainWhenTheRulesHaveChanged() {
        MethodName method = version("1");
        assertThat(ana.mayCall(method, true, rules)).isTrue();
        assertThat(ana.mayCall(method, true, rules)).isTrue();
        RuleTable others = RuleTable.parse("allow bo a.B#m", EnumSet.of(AuthSettings.Kind.TOKEN));
        assertThat(ana.mayCall(method, true, others)).isFalse();
    }

    /** A rule says nothing of versions: a caller can name any number of them. */
    @Test
    void namesThatCallersInventAreNotKept() throws Exception {
        assertThat(ana.mayCall(version("kept"), true, rules)).isTrue();
        WeakReference<MethodName> invented = new WeakReference<>(version("invented"));
        assertThat(ana.mayCall(invented.get(), false, rules)).isTrue();

        Await.until("the name is collected", () -> {
            System.gc();
            return invented.get() == null;
        });
    }
}
