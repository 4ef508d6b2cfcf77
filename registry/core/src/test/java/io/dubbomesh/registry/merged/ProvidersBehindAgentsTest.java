package io.dubbomesh.registry.merged;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

class ProvidersBehindAgentsTest {
    private static final String SERVICE = "com.example.Greeter";
    private static final String PROVIDER = "192.0.2.1:20880";
    private static final Variant NEW = new Variant("2.0", "");

    private static final String AGENT = "192.0.2.1:30000";

    private final MergedDirectory merged = new MergedDirectory();
    private final List<Directory> shown = new ArrayList<>();
    private final ProvidersBehindAgents behind = new ProvidersBehindAgents(shown::add, Runnable::run, 0);

    @Test
    void aProviderIsLeftOutWhileItsAgentIsListed() {
        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(provider(1), provider(2)));

        assertThat(Watcher.texts(directory, SERVICE)).containsExactly("192.0.2.1:30000*3", "192.0.2.2:20880*100");
        assertThat(directory.isDeregistered(SERVICE, PROVIDER)).isTrue();
        assertThat(directory.isDeregistered(SERVICE, "192.0.2.2:20880")).isFalse();
    }

    @Test
    void aProviderIsCalledWithoutItsAgentWhereThatHasNoWeightOrIsGone() {
        of(List.of(agent(3, PROVIDER)), List.of(provider(1)));

        Directory drained = of(List.of(agent(0, PROVIDER)), List.of(provider(1)));
        assertThat(Watcher.texts(drained, SERVICE)).containsExactly("192.0.2.1:20880*100", "192.0.2.1:30000*0");
        assertThat(drained.isDeregistered(SERVICE, PROVIDER)).isFalse();

        Directory gone = of(List.of(), List.of(provider(1)));
        assertThat(Watcher.texts(gone, SERVICE)).containsExactly("192.0.2.1:20880*100");
    }

    @Test
    void aProviderIsCalledWithoutItsAgentWhileNoLoopHasALinkToThat() {
        of(List.of(agent(3, PROVIDER)), List.of(provider(1)));
        behind.found(AGENT, 0);
        behind.found(AGENT, 1);

        behind.lost(AGENT, 0);
        assertThat(Watcher.texts(newest(), SERVICE)).containsExactly("192.0.2.1:30000*3");
        behind.lost(AGENT, 1);
        assertThat(Watcher.texts(newest(), SERVICE)).containsExactly("192.0.2.1:20880*100", "192.0.2.1:30000*3");
        assertThat(newest().isDeregistered(SERVICE, PROVIDER)).isFalse();

        behind.removeLoop(AGENT, 1);
        assertThat(Watcher.texts(newest(), SERVICE)).hasSize(2);
        behind.found(AGENT, 0);
        assertThat(Watcher.texts(newest(), SERVICE)).containsExactly("192.0.2.1:30000*3");
        assertThat(newest().isDeregistered(SERVICE, PROVIDER)).isTrue();
    }

    @Test
    void anAgentThatWasLostBeforeItsProviderIsListedLeavesNobodyOut() {
        behind.lost(AGENT, 0);
        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(provider(1)));

        assertThat(Watcher.texts(directory, SERVICE)).hasSize(2);
    }

    @Test
    void aLossOfAnAgentThatNamesNoProviderChangesNothing() {
        of(List.of(agent(3, "")), List.of(provider(1)));

        behind.lost(AGENT, 0);
        behind.lost("192.0.2.9:30000", 0);
        behind.found(AGENT, 0);
        assertThat(shown).hasSize(1);
    }

    @Test
    void anAgentThatDoesNotNameItsProviderLeavesNobodyOut() {
        Directory directory = of(List.of(agent(3, "")), List.of(provider(1)));

        assertThat(Watcher.texts(directory, SERVICE)).containsExactly("192.0.2.1:20880*100", "192.0.2.1:30000*3");
    }

    @Test
    void whatTheAgentDoesNotServeIsStillCalledWithoutIt() {
        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(provider(1, Variant.NONE, NEW)));

        Endpoint left = directory.endpoints(SERVICE).get(0);
        assertThat(left.address()).isEqualTo(PROVIDER);
        assertThat(left.variants()).containsExactly(NEW);
        assertThat(left.exports()).hasSize(1);
        assertThat(directory.isDeregistered(SERVICE, PROVIDER)).isFalse();
    }

    @Test
    void anAgentIsCalledInSteadOfItsProviderByWhateverProtocolThatIsListed() {
        Endpoint triple = new Endpoint(
                "192.0.2.1",
                20880,
                100,
                180,
                List.of(Variant.NONE),
                List.of(new DubboExport(Variant.NONE, "", "", "", "", Map.of(DubboExport.PROTOCOL, "tri"))));

        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(triple));

        assertThat(Watcher.texts(directory, SERVICE)).containsExactly("192.0.2.1:30000*3");
        assertThat(directory.isDeregistered(SERVICE, "tri://192.0.2.1:20880")).isTrue();
    }

    /** The provider has a port for each protocol: its agent names one of them, and the other one is listed. */
    @Test
    void anAgentIsCalledInSteadOfItsProviderAtAnotherPortThanTheOneThatItNames() {
        DubboExport named = new DubboExport(Variant.NONE, "", "", "", "", Map.of(DubboExport.PROTOCOL, "tri"))
                .withOtherAddresses("192.0.2.1:20000," + PROVIDER);
        DubboExport other = new DubboExport(NEW, "", "", "", "", Map.of(DubboExport.PROTOCOL, "tri"));
        Endpoint both = new Endpoint("192.0.2.1", 50051, 100, 180, List.of(Variant.NONE, NEW), List.of(named, other));
        Endpoint one = new Endpoint("192.0.2.1", 50052, 100, 180, List.of(Variant.NONE), List.of(named));

        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(both, one, provider(2)));

        assertThat(Watcher.texts(directory, SERVICE))
                .containsExactly("192.0.2.1:30000*3", "192.0.2.2:20880*100", "tri://192.0.2.1:50051*100");
        assertThat(directory.endpoints(SERVICE).get(2).variants()).containsExactly(NEW);
        assertThat(directory.isDeregistered(SERVICE, "tri://192.0.2.1:50052")).isTrue();
        assertThat(Watcher.texts(of(List.of(agent(0, PROVIDER)), List.of(one)), SERVICE))
                .containsExactly("192.0.2.1:30000*0", "tri://192.0.2.1:50052*100");
    }

    @Test
    void anAgentCannotLeaveOutAnotherAgent() {
        Endpoint other = new Endpoint("192.0.2.1", 20880, 1, 180, List.of(Variant.NONE));

        Directory directory = of(List.of(agent(3, PROVIDER)), List.of(other));

        assertThat(Watcher.texts(directory, SERVICE)).containsExactly("192.0.2.1:20880*1", "192.0.2.1:30000*3");
    }

    @Test
    void ofAThousandServicesOnlyTheOneIsListedAnewThatHasChanged() {
        Map<String, List<Endpoint>> agents = new HashMap<>();
        Map<String, List<Endpoint>> providers = new HashMap<>();
        for (int s = 0; s < 1_000; s++) {
            List<Endpoint> ofService = new ArrayList<>();
            for (int p = 0; p < 10; p++) {
                ofService.add(provider(p));
            }
            agents.put("com.example.Service" + s, List.of(agent(1, PROVIDER)));
            providers.put("com.example.Service" + s, ofService);
        }
        Directory before = show(merged.of(List.of(Directory.of(agents), Directory.of(providers))));
        agents.put("com.example.Service7", List.of());
        Directory after = show(merged.of(List.of(Directory.of(agents), Directory.of(providers))));

        Set<String> changed = new HashSet<>(after.services());
        changed.removeIf(service -> before.endpoints(service) == after.endpoints(service));
        assertThat(changed).containsExactly("com.example.Service7");
        assertThat(before.endpoints("com.example.Service7")).hasSize(10);
        assertThat(after.endpoints("com.example.Service7")).hasSize(10).allMatch(Endpoint::isDirect);
    }

    private Directory of(List<Endpoint> agents, List<Endpoint> providers) {
        return show(
                merged.of(List.of(Directory.of(Map.of(SERVICE, agents)), Directory.of(Map.of(SERVICE, providers)))));
    }

    private Directory show(Directory listed) {
        behind.update(listed);
        return newest();
    }

    private Directory newest() {
        return shown.get(shown.size() - 1);
    }

    private static Endpoint agent(int weight, String provider) {
        return new Endpoint("192.0.2.1", 30000, weight, 180, List.of(Variant.NONE), provider, List.of(), Map.of());
    }

    private static Endpoint provider(int number, Variant... variants) {
        List<Variant> exported = variants.length == 0 ? List.of(Variant.NONE) : List.of(variants);
        return new Endpoint(
                "192.0.2." + number,
                20880,
                100,
                180,
                exported,
                exported.stream()
                        .map(variant -> new DubboExport(variant, "", "", "", "", Map.of()))
                        .toList());
    }
}
