package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.EndpointDocument;
import io.dubbomesh.meshctl.document.Endpoints;
import io.dubbomesh.meshctl.document.ServicesDocument;
import org.junit.jupiter.api.Test;

import java.io.PrintWriter;
import java.io.StringWriter;

import static org.assertj.core.api.Assertions.assertThat;

class ListCommandTest {
    private static String services(String document) {
        StringWriter out = new StringWriter();
        try (PrintWriter printed = new PrintWriter(out)) {
            ListCommand.services(AgentClient.document(document, ServicesDocument.class))
                    .print(printed);
        }
        return out.toString();
    }

    private static String endpoints(String document) {
        StringWriter out = new StringWriter();
        try (PrintWriter printed = new PrintWriter(out)) {
            ListCommand.endpoints(AgentClient.document(document, Endpoints.class))
                    .print(printed);
        }
        return out.toString();
    }

    @Test
    void anEndpointIsListedWithWhatTheStrategySeesOfIt() {
        assertThat(endpoints("""
                {"endpoints":[{"id":"192.0.2.7:30000","kind":"mesh","weight":1,"limit":200,"callsInFlight":2,"services":[],
                "ejectedFrom":[],"listed":true,"alive":true,"load":{"callsInService":9,"callsWaiting":1,"callMs":50.4},
                "strategy":{"name":"prequal","calls":11.25,"latencyMs":51.04,"heat":"hot","sharePercent":16.6,"weightPercent":50}}]}"""))
                .containsPattern("CALLS +STRATEGY +LOAD +LATENCY +SHARE +BY WEIGHT +STATE")
                .containsPattern("2 +prequal +11.3 hot +51 ms +17 % +50 % +alive");
    }

    @Test
    void aStrategyThatComparesNothingHasTheLoadThatTheProviderReports() {
        assertThat(endpoints("""
                {"endpoints":[{"id":"192.0.2.7:30000","kind":"mesh","weight":1,"limit":200,"callsInFlight":2,"services":[],
                "ejectedFrom":[],"listed":true,"alive":true,"load":{"callsInService":9,"callsWaiting":1,"callMs":50.4},
                "strategy":{"name":"weighted-random"}}]}""")).containsPattern("2 +weighted-random +10 +50.4 ms +alive");
    }

    @Test
    void anAgentWithoutAStrategyHasNoColumnsForIt() {
        assertThat(endpoints("""
                {"endpoints":[{"id":"192.0.2.7:30000","kind":"mesh","weight":1,"limit":200,"callsInFlight":2,"services":[],
                "ejectedFrom":[],"listed":true}]}""")).containsPattern("CALLS +STATE").doesNotContain("STRATEGY");
    }

    @Test
    void theVersionsAndGroupsOnOfferAreListedBeforeAnyCall() {
        assertThat(services("""
                {"services":[{"service":"a.B","endpoints":["192.0.2.7:20880"],"variants":[],
                "served":[{"version":"","group":""},{"version":"5.0","group":"blue"}]}]}"""))
                .containsPattern("SERVICE +ENDPOINTS +SERVED +CALLED AS +CALLS +WAITING")
                .containsPattern(
                        "a.B +192.0.2.7:20880 +version \"\", group \"\"; version \"5.0\", group \"blue\" +not called yet +0 +0");
    }

    @Test
    void theStateOfAProviderThatCannotBeCalledSaysWhy() {
        assertThat(ListCommand.state(AgentClient.document("""
                {"id":"192.0.2.7:50051","kind":"dubbo","weight":100,"listed":true,"alive":false,"idle":true,
                "ejectedFrom":[],"notCallable":"Triple only, cannot be called yet"}""", EndpointDocument.class)))
                .isEqualTo("Triple only, cannot be called yet");
    }

    @Test
    void aServiceWithoutEndpointsOffersNoneAndAFixedListTellsNothing() {
        assertThat(services("""
                {"services":[{"service":"a.B","endpoints":[],"variants":[],"served":[]},
                {"service":"a.C","endpoints":["192.0.2.7:30000"],"variants":[],"served":[]}]}"""))
                .containsPattern("a.B +none +none +not called yet")
                .containsPattern("a.C +192.0.2.7:30000 +not told +not called yet");
    }
}
