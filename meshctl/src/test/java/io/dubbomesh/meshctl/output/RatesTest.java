package io.dubbomesh.meshctl.output;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class RatesTest {
    private static final String BEFORE = """
            # HELP dubbomesh_consumer_requests_total HTTP requests that were answered
            # TYPE dubbomesh_consumer_requests_total counter
            dubbomesh_consumer_requests_total{code="OK",method="order",service="a.Shop",status="200"} 100.0
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="0.01"} 100
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="0.02"} 100
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="+Inf"} 100
            dubbomesh_consumer_endpoint_requests_total{endpoint="192.0.2.7:30000"} 50.0
            """;
    private static final String AFTER = """
            dubbomesh_consumer_requests_total{code="OK",method="order",service="a.Shop",status="200"} 300.0
            dubbomesh_consumer_requests_total{code="TIMEOUT",method="order",service="a.Shop",status="504"} 20.0
            dubbomesh_consumer_requests_total{code="NOT_FOUND",method="other",service="other",status="404"} 2.0
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="0.01"} 210
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="0.02"} 320
            dubbomesh_consumer_request_duration_seconds_bucket{method="order",service="a.Shop",le="+Inf"} 320
            dubbomesh_consumer_endpoint_requests_total{endpoint="192.0.2.7:30000"} 110.0
            dubbomesh_consumer_endpoint_requests_total{endpoint="192.0.2.8:30000"} 180.0
            dubbomesh_consumer_endpoint_failures_total{endpoint="192.0.2.8:30000"} 20.0
            dubbomesh_consumer_endpoint_in_flight{endpoint="192.0.2.8:30000"} 3.0
            dubbomesh_consumer_endpoint_limit{endpoint="192.0.2.8:30000"} 180.0
            """;

    private final Rates rates = new Rates(MetricsText.parse(BEFORE), MetricsText.parse(AFTER), 2);

    @Test
    void aMethodHasWhatItDidBetweenTheTwoLooks() {
        List<Rates.MethodRate> methods = rates.methods();
        assertThat(methods).hasSize(2).contains(new Rates.MethodRate("other", "other", 1, 1, null, null));
        assertThat(methods.get(0).method()).isEqualTo("order");
        assertThat(methods.get(0).callsPerSecond()).isEqualTo(110);
        assertThat(methods.get(0).failedPerSecond()).isEqualTo(10);
        assertThat(methods.get(0).p50Ms()).isCloseTo(10, within(1e-6));
        assertThat(methods.get(0).p99Ms()).isCloseTo(19.8, within(1e-6));
    }

    @Test
    void anEndpointHasItsShareOfTheCalls() {
        assertThat(rates.endpoints())
                .containsExactly(
                        new Rates.EndpointRate("192.0.2.7:30000", 30, 0.25, 0, 0, 0),
                        new Rates.EndpointRate("192.0.2.8:30000", 90, 0.75, 10, 3, 180));
    }

    @Test
    void anAgentThatWasStartedAgainHasNoNegativeRates() {
        assertThat(new Rates(MetricsText.parse(AFTER), MetricsText.parse(BEFORE), 2).methods())
                .containsExactly(new Rates.MethodRate("a.Shop", "order", 0, 0, null, null));
    }

    @Test
    void aProviderAgentHasMethodsOnly() {
        Rates ofProvider = new Rates(
                MetricsText.parse(""),
                MetricsText.parse(
                        "dubbomesh_provider_requests_total{code=\"OK\",method=\"order\",service=\"a.Shop\",status=\"200\"} 4"),
                2);

        assertThat(ofProvider.methods()).isEqualTo(List.of(new Rates.MethodRate("a.Shop", "order", 2, 0, null, null)));
        assertThat(ofProvider.endpoints()).isEmpty();
    }
}
