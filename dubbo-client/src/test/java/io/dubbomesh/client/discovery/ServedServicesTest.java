package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServedServicesTest {
    private static MethodName method(String service, String version, String group) {
        return new MethodName(service, "call", "", version, group);
    }

    @Test
    void anEntryNamesAnInterfaceAndPerhapsItsVersionAndGroup() {
        ServedServices services = ServedServices.parse(List.of("a.B", "a.C:1.0", "a.C:2.0:blue", " a.D::red"));

        assertThat(services.variants().get("a.B")).containsExactly(new Variant("", ""));
        assertThat(services.variants().get("a.C")).containsExactly(new Variant("1.0", ""), new Variant("2.0", "blue"));
        assertThat(services.variants().get("a.D")).containsExactly(new Variant("", "red"));
    }

    @Test
    void anEntryMayHaveThePathUnderWhichTheProviderExportsTheService() {
        ServedServices services = ServedServices.parse(List.of("a.B:1.0 = /shop/b", "a.B", "a.C=c"));
        assertThat(services.path("a.B", "1.0", "")).isEqualTo("shop/b");
        assertThat(services.path("a.B", "", "")).isNull();
        assertThat(services.path("a.C", "", "")).isEqualTo("c");
        assertThat(services.exporting(services.variants()).path("a.C", "", "")).isEqualTo("c");
        for (String entry : List.of("a.B=", "a.B=x y", "a.B=x=y", "a.B=1.0:g", "=x")) {
            assertThatThrownBy(() -> ServedServices.parse(List.of(entry))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anEntryMayHaveTheTimeoutsOfItsCalls() {
        ServedServices services = ServedServices.parse(
                List.of("a.B?timeout=15000", "a.B:1.0=shop/b?slow.timeout=20000& timeout=9", "a.C"));
        assertThat(services.timeouts())
                .isEqualTo(Map.of(
                        "a.B",
                        Map.of(
                                Variant.NONE,
                                Map.of("timeout", "15000"),
                                new Variant("1.0", ""),
                                Map.of("slow.timeout", "20000", "timeout", "9"))));
        assertThat(services.path("a.B", "1.0", "")).isEqualTo("shop/b");
        for (String entry : List.of("a.B?", "a.B?timeout", "a.B?timeout=5s", "a.B?timeout=0", "a.B?retries=2")) {
            assertThatThrownBy(() -> ServedServices.parse(List.of(entry)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(entry + " (expected: time-outs in milliseconds behind the question mark, as"
                            + " timeout=15000&slow.timeout=20000)");
        }
    }

    @Test
    void theVersionOfNoVersionIsNone() {
        ServedServices services = ServedServices.parse(List.of("a.B:0.0.0", "a.B"));

        assertThat(services.variants().get("a.B")).containsExactly(new Variant("", ""));
        assertThatCode(() -> services.resolve(method("a.B", "0.0.0", ""))).doesNotThrowAnyException();
    }

    @Test
    void whatIsNotServedIsNotFound() {
        ServedServices services = ServedServices.parse(List.of("a.B:1.0"));

        assertThatCode(() -> services.resolve(method("a.B", "1.0", ""))).doesNotThrowAnyException();
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> services.resolve(method("a.C", "", "")))
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.SERVICE_NOT_FOUND))
                .withMessage("service a.C is not served by this agent");
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> services.resolve(method("a.B", "", "x")))
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND))
                .withMessage("service a.B is not served in version \"\" and group \"x\""
                        + " (served: version \"1.0\" and group \"\")");
    }

    @Test
    void aCallOfAnyOrSeveralVariantsGoesToTheFirstThatIsServed() throws Exception {
        ServedServices services = ServedServices.parse(List.of("a.B:2.0:blue", "a.B:1.0:red", "a.B"));

        assertThat(services.resolve(method("a.B", "*", "*"))).isEqualTo(method("a.B", "2.0", "blue"));
        assertThat(services.resolve(method("a.B", "1.0", "*"))).isEqualTo(method("a.B", "1.0", "red"));
        assertThat(services.resolve(method("a.B", "*", "green,red"))).isEqualTo(method("a.B", "1.0", "red"));
        assertThat(services.resolve(method("a.B", "*", ""))).isEqualTo(method("a.B", "", ""));
        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> services.resolve(method("a.B", "3.0", "*")))
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND));
    }

    @Test
    void anAgentServesNoPatterns() {
        for (String entry : List.of("a.B:*", "a.B:1.0:*")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServedServices.parse(List.of(entry)))
                    .withMessage(entry + " (expected: one version and group; * is for clients)");
        }
    }

    @Test
    void whatIsNoEntryIsNamed() {
        for (String entry : List.of("", ":1", "a.B:1:g:x", "a b", ".a", "a/b")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ServedServices.parse(List.of(entry)))
                    .withMessage(entry + " (expected: interface[:version[:group]])");
        }
    }

    @Test
    void aVariantThatTheProviderExportsIsMeantBeforeOneThatItDoesNot() throws Exception {
        ServedServices services = ServedServices.parse(List.of("a.B:1.0:blue", "a.B:1.0:green"))
                .exporting(Map.of("a.B", List.of(new Variant("1.0", "green"))));

        assertThat(services.resolve(method("a.B", "1.0", "*"))).isEqualTo(method("a.B", "1.0", "green"));
        assertThat(services.resolve(method("a.B", "1.0", "blue"))).isEqualTo(method("a.B", "1.0", "blue"));
    }
}
