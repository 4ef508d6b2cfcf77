package io.dubbomesh.meshctl.doctor;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.runtime.admin.AdminException;
import io.dubbomesh.runtime.admin.AdminServer;
import io.dubbomesh.runtime.admin.AdminSettings;
import io.dubbomesh.runtime.admin.Readiness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An agent whose admin port lacks some documents, as that of an older version or of a stuck event loop. */
@Timeout(30)
class DiagnosisTest {
    private AdminServer admin;

    @BeforeEach
    void start() throws Exception {
        admin = AdminServer.start(
                new AdminSettings("127.0.0.1", 0, AdminSettings.Changes.NONE, List.of()), Readiness::ready);
    }

    @AfterEach
    void close() {
        admin.close();
    }

    private Map<String, Object> state(String agent) {
        return Map.of(
                "agent",
                agent,
                "process",
                Map.of("startedAt", "2026-11-01T00:00:00Z"),
                "registry",
                "static:192.0.2.7:30000",
                "listening",
                "127.0.0.1:" + admin.port(),
                "ready",
                true,
                "readiness",
                "ready",
                "callsWaiting",
                3);
    }

    private List<Finding> findings() {
        return new Diagnosis(new AgentClient(URI.create("http://127.0.0.1:" + admin.port()), null)).findings();
    }

    @Test
    void theFindingsAboutAProviderAgentAreKeptWhenADocumentIsMissing() {
        admin.api().get("/state", request -> state("provider-agent")).get("/services", request -> {
            throw AdminException.unavailable("loop 0 does not answer");
        });

        assertThat(findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.startsWith("provider-agent at http://127.0.0.1:"))
                .anyMatch(text -> text.endsWith("is not connected"))
                .anyMatch(text ->
                        text.startsWith("not everything was looked at: 503 UNAVAILABLE: loop 0 does not answer"))
                .anyMatch(text -> text.startsWith("not everything was looked at: 404 NOT_FOUND: no such path"));
    }

    @Test
    void aServiceThatIsNotOfferedIsAFaultOnlyWhileTheProviderIsConnected() {
        Map<String, Object> state = new HashMap<>(state("provider-agent"));
        Map<String, Object> service =
                Map.of("service", "a.B", "version", "", "group", "", "offered", false, "methods", 1L);
        admin.api().get("/state", request -> state).get("/services", request -> Map.of("services", List.of(service)));
        assertThat(findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.endsWith("is not connected"))
                .noneMatch(text -> text.contains("a.B"));

        state.put("providerConnections", 1L);
        assertThat(findings())
                .extracting(Finding::text)
                .contains("service a.B (version \"\", group \"\") is not offered");
    }

    @Test
    void aRegistryThatHasNeverToldItsEndpointsIsAFault() {
        // The form that the agent writes, which leaves out what is null.
        Map<String, Object> state = new HashMap<>(state("consumer-agent"));
        admin.api().get("/state", request -> state);
        assertThat(findings())
                .extracting(Finding::text)
                .contains("the registry has not told this agent its endpoints since the start");

        state.put("registryAgeSeconds", 0.5);
        assertThat(findings()).extracting(Finding::text).noneMatch(text -> text.contains("since the start"));
    }

    @Test
    void connectionsOfClientsNearTheirLimitAreTold() {
        Map<String, Object> state = new HashMap<>(state("consumer-agent"));
        state.putAll(Map.of("connections", 3_600, "maxConnections", 4_000));
        admin.api().get("/state", request -> state);
        assertThat(findings()).extracting(Finding::text).noneMatch(text -> text.contains("connections of clients"));

        state.put("connections", 3_601);
        assertThat(findings())
                .extracting(Finding::text)
                .contains("3601 of 4000 connections of clients are open: beyond, clients get 503");
    }

    @Test
    void anEventLoopWhoseConnectionsAreNearTheirLimitIsToldWhileOthersHaveRoom() {
        Map<String, Object> state = new HashMap<>(state("consumer-agent"));
        state.putAll(Map.of("connections", 1_000, "maxConnections", 4_000));
        state.put("fullestLoop", Map.of("connections", 900, "maxConnections", 1_000));
        admin.api().get("/state", request -> state);
        assertThat(findings()).extracting(Finding::text).noneMatch(text -> text.contains("connections of clients"));

        state.put("fullestLoop", Map.of("connections", 901, "maxConnections", 1_000));
        assertThat(findings())
                .extracting(Finding::text)
                .contains("1000 of 4000 connections of clients are open, 901 of 1000 at one event loop: beyond,"
                        + " clients get 503");
    }

    @Test
    void oneLinkIsNotToldAsLinks() {
        Map<String, Object> state = new HashMap<>(state("provider-agent"));
        state.putAll(Map.of("registered", true, "address", "192.0.2.7:30000", "weight", 1, "links", 1));
        admin.api().get("/state", request -> state);
        assertThat(findings())
                .extracting(Finding::text)
                .contains("registered as 192.0.2.7:30000, weight 1; 1 link from consumer agents");

        state.put("links", 2);
        assertThat(findings())
                .extracting(Finding::text)
                .contains("registered as 192.0.2.7:30000, weight 1; 2 links from consumer agents");
    }

    @Test
    void itSaysWhoMayCallAProviderAgent() {
        admin.api()
                .get("/state", request -> state("provider-agent"))
                .get("/config", request -> Map.of("settings", List.of()));

        assertThat(findings())
                .extracting(Finding::text)
                .contains("port 127.0.0.1:" + admin.port() + ": only programs of the agent's machine reach it");
    }

    @Test
    void nothingAboutAGatewayNamesAnAgentThatItDoesNotNeed() {
        Map<String, Object> state = new HashMap<>(state("consumer-agent"));
        state.put("role", "gateway");
        Map<String, Object> ejected = Map.of(
                "id",
                "192.0.2.7:20880",
                "kind",
                "dubbo",
                "alive",
                true,
                "listed",
                true,
                "weight",
                100L,
                "ejectedFrom",
                List.of("a.B"),
                "ejectionReason",
                "its calls fail");
        admin.api()
                .get("/state", request -> state)
                .get("/endpoints", request -> Map.of("endpoints", List.of()))
                .get(
                        "/services",
                        request -> Map.of("services", List.of(Map.of("service", "a.B", "endpoints", List.of()))));
        assertThat(findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.startsWith("gateway at http://127.0.0.1:"))
                .contains("no endpoint is registered")
                .anyMatch(text -> text.startsWith("no endpoint serves a.B now"));
        assertThat(findings().toString()).doesNotContainPattern("provider[ -]agent|consumer[ -]agent|its agent|:30001");

        admin.api().get("/endpoints", request -> Map.of("endpoints", List.of(ejected)));
        assertThat(findings().toString())
                .contains("look at the provider there")
                .doesNotContainPattern("provider[ -]agent|consumer[ -]agent|its agent|:30001");
    }

    @Test
    void aProviderThatNoAgentCanCallIsToldWithWhatToDo() {
        Map<String, Object> endpoint = Map.of(
                "id",
                "192.0.2.7:8080",
                "kind",
                "dubbo",
                "weight",
                100,
                "listed",
                true,
                "alive",
                false,
                "idle",
                true,
                "notCallable",
                "rest only, cannot be called yet");
        admin.api()
                .get("/state", request -> state("consumer-agent"))
                .get("/endpoints", request -> Map.of("endpoints", List.of(endpoint)));

        assertThat(findings()).anySatisfy(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.WARN);
            assertThat(finding.text()).isEqualTo("endpoint 192.0.2.7:8080: rest only, cannot be called yet");
            assertThat(finding.remedy()).isEqualTo("let the provider register the protocol dubbo or tri too");
        });
    }

    @Test
    void theFindingsAboutAConsumerAgentAreKeptWhenADocumentIsMissing() {
        admin.api()
                .get("/state", request -> state("consumer-agent"))
                .get(
                        "/services",
                        request -> Map.of("services", List.of(Map.of("service", "a.B", "endpoints", List.of()))));

        assertThat(findings())
                .extracting(Finding::text)
                .anyMatch(text -> text.startsWith("not everything was looked at: 404 NOT_FOUND: no such path"))
                .anyMatch(text -> text.startsWith("no endpoint serves a.B now"))
                .anyMatch(text -> text.startsWith("3 calls wait"));
    }
}
