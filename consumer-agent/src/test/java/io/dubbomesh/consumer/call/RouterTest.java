package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class RouterTest {
    private final Router router = new Router(4, new CallMetrics(CallMetricNames.CONSUMER, 8));
    private final FormCall form = new FormCall(32);

    @Test
    void aMethodThatWasNeverAnsweredHasNoPlace() throws Exception {
        assertThat(find("a.B", "m").isKept()).isFalse();
        assertThat(find("a.B", "m").isUnproven()).as("there are no others").isFalse();
        router.keep(find("a.B", "n"));
        assertThat(find("a.B", "o").isUnproven()).isTrue();
        router.keep(find("a.B", "o"));
        assertThat(find("a.B", "o").isUnproven()).isFalse();
    }

    @Test
    void aMethodThatWasCalledBeforeAllOthersIsUnprovenAsSoonAsOneOfThemWasExecuted() throws Exception {
        Route first = find("a.B", "m");
        router.keep(find("a.B", "n"));
        assertThat(first.isUnproven()).isTrue();
        router.keep(first);
        assertThat(first.isUnproven()).isFalse();
    }

    @Test
    void aDescriptionIsNoMethodThatWasExecuted() throws Exception {
        MethodName description = new MethodName("a.B", MethodName.DESCRIBE, "", "", "");
        router.keep(router.find(description));
        assertThat(find("a.B", "m").isUnproven()).isFalse();

        router.keep(find("a.B", "m"));
        assertThat(find("a.B", "n").isUnproven()).isTrue();
        assertThat(router.make(description).isUnproven()).as("the agent asks").isFalse();
    }

    @Test
    void anExecutedMethodWithoutAPlaceStaysProvenAsLongAsItIsCalled() throws Exception {
        for (int i = 0; i < 4; i++) {
            router.keep(find("a.B", "m" + i));
        }
        Route beyond = find("a.B", "m4");
        router.keep(beyond);
        for (int i = 0; i < 200; i++) {
            find("invented", "m" + i);
            assertThat(find("a.B", "m4")).isSameAs(beyond);
        }
        assertThat(beyond.isUnproven()).isFalse();
    }

    @Test
    void callsOfANewMethodShareARouteUntilManyOthersHaveCome() throws Exception {
        Route route = find("a.B", "m");
        assertThat(find("a.%42", "m")).isSameAs(route);
        for (int i = 0; i < 63; i++) {
            find("invented", "m" + i);
        }
        assertThat(find("a.B", "m")).isSameAs(route);
        for (int i = 0; i < 64; i++) {
            find("invented", "n" + i);
        }
        assertThat(find("a.B", "m")).isNotSameAs(route);
    }

    @Test
    void aRouteOfLongNamesIsNotRememberedBeforeItsMethodWasExecuted() throws Exception {
        String service = "a".repeat(1500);
        assertThat(find(service, "m")).isNotSameAs(find(service, "m"));
    }

    @Test
    void aKeptMethodIsFoundAgainHoweverItsNamesAreSpelled() throws Exception {
        Route route = find("a.B", "m");
        router.keep(route);

        assertThat(find("a.B", "m")).isSameAs(route);
        assertThat(find("a.%42", "m")).isSameAs(route);
        assertThat(find("%61.B", "%6d")).isSameAs(route);
        assertThat(find("a.B", "n")).isNotSameAs(route);
        assertThat(find("a.Bm", "")).isNotSameAs(route);
    }

    @Test
    void ofTwoRoutesToOneMethodTheFirstIsKept() throws Exception {
        String service = "a".repeat(1500);
        Route first = find(service, "m");
        Route second = find(service, "m");
        router.keep(first);
        router.keep(second);

        assertThat(second.isKept()).isFalse();
        assertThat(find(service, "m")).isSameAs(first);
    }

    @Test
    void aFullTableStaysAsItIs() throws Exception {
        for (int i = 0; i < 100; i++) {
            router.keep(find("a.B", "m" + i));
        }
        assertThat(find("a.B", "m3").isKept()).isTrue();
        assertThat(find("a.B", "m4").isKept()).isFalse();
        assertThat(find("a.B", "m99").isUnproven())
                .as("remembered, without a place")
                .isFalse();
    }

    @Test
    void aTableIsFullTooWhenTheNamesAreLong() throws Exception {
        String service = "a".repeat(1500);
        for (int i = 0; i < 4; i++) {
            router.keep(find(service, "m" + i));
        }
        router.keep(find("a.B", "m"));

        assertThat(find(service, "m1").isKept()).isTrue();
        assertThat(find(service, "m2").isKept()).as("beyond 4 KiB").isFalse();
        assertThat(find("a.B", "m").isKept()).isTrue();
    }

    @Test
    void aMethodIsKeptThoughItsSpellingIsTooLong() throws Exception {
        Route route = find("%61".repeat(1500), "m");
        router.keep(route);
        router.keep(find("b", "m"));

        assertThat(find("%61".repeat(1500), "m")).isSameAs(route);
        assertThat(find("b", "m").isKept()).isTrue();
    }

    @Test
    void manyEncodingsOfOneMethodDoNotFillTheTable() throws Exception {
        router.keep(find("interface.of.Many", "method"));
        String name = "interface.of.Many";
        for (int i = 0; i < 1 << name.length(); i += 7) {
            StringBuilder spelled = new StringBuilder();
            for (int c = 0; c < name.length(); c++) {
                spelled.append(
                        (i >> c & 1) == 0 ? name.substring(c, c + 1) : String.format("%%%02x", (int) name.charAt(c)));
            }
            assertThat(find(spelled.toString(), "method").name().service()).isEqualTo(name);
        }
        Route other = find("a.B", "m");
        router.keep(other);
        assertThat(find("a.B", "m")).isSameAs(other);
    }

    private Route find(String service, String method) throws CallException {
        ByteBuf body = Unpooled.copiedBuffer(
                "interface=" + service + "&method=" + method + "x&parameterTypesString=I&parameter=1", US_ASCII);
        form.parse(body, 0, body.writerIndex());
        return router.find(form.names());
    }
}
