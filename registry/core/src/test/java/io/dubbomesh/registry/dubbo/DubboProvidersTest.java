package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.Watcher;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class DubboProvidersTest {
    private static final String SERVICE = "com.example.Greeter";

    @RegisterExtension
    private final RecordedLog log = new RecordedLog(Registry.class);

    private final DubboProviders providers = new DubboProviders("");

    @Test
    void aProviderIsAnEndpointWithWhatItExports() {
        put(
                "dubbo://192.0.2.7:20880/com.example.Greeter?application=greeter&version=1.0&group=a&token=t&weight=200&side=provider"
                        + "&serialization=hessian2&prefer.serialization=fastjson2,hessian2&region=north&interface=com.example.Greeter");

        Endpoint endpoint = only();
        assertThat(endpoint.address()).isEqualTo("192.0.2.7:20880");
        assertThat(endpoint.weight()).isEqualTo(200);
        assertThat(endpoint.isDirect()).isTrue();
        assertThat(endpoint.zone()).isEqualTo("north");
        assertThat(endpoint.variants()).containsExactly(new Variant("1.0", "a"));
        assertThat(endpoint.exports())
                .containsExactly(new DubboExport(
                        new Variant("1.0", "a"),
                        "greeter",
                        "",
                        "fastjson2,hessian2",
                        "t",
                        Map.of(
                                "weight",
                                "200",
                                "serialization",
                                "hessian2",
                                "prefer.serialization",
                                "fastjson2,hessian2",
                                "region",
                                "north")));
    }

    /** Names of nodes as Apache Dubbo 2.7.23 and 3.2.19 made them in ZooKeeper. */
    @Test
    void whatRealProvidersRegisteredIsListed() throws Exception {
        for (String line : Files.readAllLines(Path.of("src/test/resources/dubbo-providers.txt"))) {
            String[] entry = line.split(" ");
            providers.put(entry[0], entry[1], 0);
        }

        Directory directory = providers.directory();
        assertThat(Watcher.texts(directory, "io.dubbomesh.demo.office.Vault"))
                .containsExactly("192.0.2.2:29727*100", "192.0.2.2:29732*100");
        assertThat(directory.endpoints("io.dubbomesh.demo.office.Vault"))
                .allSatisfy(endpoint -> assertThat(endpoint.exports())
                        .extracting(DubboExport::variant)
                        .containsExactlyInAnyOrder(Variant.NONE, new Variant("other", ""), new Variant("random", "")));
        assertThat(directory.endpoints("io.dubbomesh.demo.office.Vault").get(1).exports())
                .extracting(DubboExport::token)
                .contains("s3cret", "an0ther");
        assertThat(directory.endpoints("io.dubbomesh.demo.shop.Shop"))
                .last()
                .extracting(Endpoint::variants)
                .isEqualTo(List.of(Variant.NONE, new Variant("2.0.0", "blue")));
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void theWeightIsDubbosOwn() {
        put("dubbo://192.0.2.1:1/S");
        put("dubbo://192.0.2.2:1/S?weight=0");
        put("dubbo://192.0.2.3:1/S?weight=5000");
        put("dubbo://192.0.2.4:1/S?weight=-1");
        put("dubbo://192.0.2.5:1/S?weight=7&disabled=true");
        put("dubbo://192.0.2.6:1/S?enabled=false");
        put("dubbo://192.0.2.7:1/S?enabled=false&disabled=false");

        assertThat(Watcher.texts(providers.directory(), SERVICE))
                .containsExactly(
                        "192.0.2.1:1*100",
                        "192.0.2.2:1*0",
                        "192.0.2.3:1*1000",
                        "192.0.2.4:1*0",
                        "192.0.2.5:1*0",
                        "192.0.2.6:1*0",
                        "192.0.2.7:1*100");
    }

    @Test
    void versionsAndGroupsAtOneAddressAreOneEndpoint() {
        put("dubbo://192.0.2.7:20880/S?version=1.0");
        put("dubbo://192.0.2.7:20880/S?version=2.0&weight=300");
        put("dubbo://[2001:DB8:0::7]:20880/S?version=2.0");

        List<Endpoint> endpoints = providers.directory().endpoints(SERVICE);
        assertThat(endpoints).extracting(Endpoint::address).containsExactly("192.0.2.7:20880", "[2001:db8::7]:20880");
        assertThat(endpoints.get(0).variants()).containsExactly(new Variant("1.0", ""), new Variant("2.0", ""));
        assertThat(endpoints.get(0).weight()).isEqualTo(300);
    }

    @Test
    void ofTwoEntriesOfOneProviderTheLaterStartCounts() {
        put("dubbo://192.0.2.7:20880/S?timestamp=1000&token=old");
        put("dubbo://192.0.2.7:20880/S?timestamp=2000&token=new");

        assertThat(only().exports()).extracting(DubboExport::token).containsExactly("new");

        remove("dubbo://192.0.2.7:20880/S?timestamp=1000&token=old", 0);
        assertThat(only().exports()).extracting(DubboExport::token).containsExactly("new");
        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.7:20880"))
                .isFalse();
    }

    @Test
    void aProviderThatIsRegisteredByInterfaceAndByInstanceIsListedOnce() {
        put("dubbo://192.0.2.7:20880/S?application=greeter");
        DubboUrl url = DubboUrl.parse("dubbo://192.0.2.7:20880/S?application=greeter");
        providers.put(SERVICE, "greeter/192.0.2.7:20880", url, "5aa8f2", 0);

        assertThat(only().exports()).extracting(DubboExport::revision).containsExactly("5aa8f2");
    }

    @Test
    void ofSeveralProtocolsDubbosOwnIsListed() {
        put("tri://192.0.2.7:50051/S?application=greeter");
        assertThat(only().exports().get(0).parameters()).containsEntry("protocol", "tri");

        put("rest://192.0.2.7:8080/S?application=greeter");
        put("dubbo://192.0.2.7:20880/S?application=greeter");
        assertThat(only().address()).isEqualTo("192.0.2.7:20880");
        assertThat(only().exports().get(0).parameters()).doesNotContainKey("protocol");
    }

    @Test
    void providersOnOneHostAreListedByTheirOwnProtocolsIfTheyAreDifferentProcesses() {
        put("dubbo://192.0.2.7:20880/S?application=greeter&pid=7&timestamp=1000000");
        put("tri://192.0.2.7:50051/S?application=greeter&pid=7&timestamp=1000250");
        put("tri://192.0.2.7:50052/S?application=greeter&pid=8&timestamp=1000000");
        put("tri://192.0.2.8:50051/S?application=greeter&pid=7&timestamp=1000000");

        assertThat(listed())
                .containsExactly("192.0.2.7:20880*100", "tri://192.0.2.7:50052*100", "tri://192.0.2.8:50051*100");
    }

    @Test
    void aProcessThatRegistersWithoutItsIdIsKnownByItsApplication() {
        put("dubbo://192.0.2.7:20880/S?application=greeter&timestamp=1000000");
        put("tri://192.0.2.7:50051/S?application=greeter&timestamp=1009000");
        put("tri://192.0.2.7:50052/S?application=other&timestamp=1000000");
        put("tri://192.0.2.7:50053/S?application=greeter&timestamp=1011000");

        assertThat(listed())
                .containsExactly("192.0.2.7:20880*100", "tri://192.0.2.7:50052*100", "tri://192.0.2.7:50053*100");
    }

    /** Apache Dubbo 3.1.11 with {@code name: tri} and {@code ext-protocol: dubbo}, or the reverse. */
    @Test
    void aPortThatDubbo31RegistersByBothProtocolsIsListedOnce() {
        String rest =
                "://192.0.2.2:18310/S?anyhost=false&application=provider&background=false&deprecated=false&dubbo=2.0.2"
                        + "&dynamic=true&generic=false&interface=com.example.Greeter&ispuserver=true&logger=slf4j"
                        + "&metadata-type=local&methods=hash&pid=10114&register-mode=all&release=3.1.11&serialization=hessian2"
                        + "&service-name-mapping=true&side=provider&threadpool=fixed&threads=200&timestamp=1795865430454";
        put("tri" + rest);
        put("dubbo" + rest);
        assertThat(listed()).containsExactly("192.0.2.2:18310*100");

        DubboProviders preferring = new DubboProviders("");
        preferring.prefer(EndpointProtocol.TRIPLE);
        preferring.put(SERVICE, encoded("tri" + rest), 0);
        preferring.put(SERVICE, encoded("dubbo" + rest), 0);
        assertThat(Watcher.texts(preferring.directory(), SERVICE)).containsExactly("tri://192.0.2.2:18310*100");
    }

    /** An agent of the provider may name a port that is not listed. */
    @Test
    void whatIsOfferedByTwoPortsTellsTheOneThatIsNotUsed() {
        put("dubbo://192.0.2.7:20880/S?application=greeter&timestamp=1000000");
        put("dubbo://192.0.2.7:20881/S?application=greeter&timestamp=1004000");
        put("tri://192.0.2.7:50051/S?application=greeter&timestamp=1000250");
        put("tri://192.0.2.7:50052/S?application=greeter&timestamp=1003900");

        assertThat(providers.directory().endpoints(SERVICE))
                .extracting(endpoint -> endpoint.address() + " "
                        + endpoint.exports().get(0).parameters().get(DubboExport.ALSO_AT))
                .containsExactly("192.0.2.7:20880 192.0.2.7:50051", "192.0.2.7:20881 192.0.2.7:50052");

        providers.prefer(EndpointProtocol.TRIPLE);
        put("dubbo://192.0.2.7:20882/S?application=greeter&timestamp=1000100");
        assertThat(providers.directory().endpoints(SERVICE))
                .extracting(endpoint -> endpoint.address() + " "
                        + endpoint.exports().get(0).parameters().get(DubboExport.ALSO_AT))
                .containsExactly(
                        "tri://192.0.2.7:50051 192.0.2.7:20880,192.0.2.7:20882",
                        "tri://192.0.2.7:50052 192.0.2.7:20881");
    }

    @Test
    void aVersionThatIsOfferedByOneProtocolAloneIsListedByIt() {
        put("dubbo://192.0.2.7:20880/S?version=1.0&pid=7");
        put("tri://192.0.2.7:50051/S?version=1.0&pid=7");
        put("tri://192.0.2.7:50051/S?version=2.0&pid=7");

        assertThat(listed()).containsExactly("192.0.2.7:20880*100", "tri://192.0.2.7:50051*100");
        assertThat(providers.directory().endpoints(SERVICE).get(1).variants()).containsExactly(new Variant("2.0", ""));
    }

    /** What is left of the process that was there before ends with its session. */
    @Test
    void aProviderThatWasStartedAgainWithAnotherProtocolIsListedByTheLaterOne() {
        put("dubbo://192.0.2.7:20880/S?application=greeter&pid=1&timestamp=1000000");
        put("tri://192.0.2.7:20880/S?application=greeter&pid=1&timestamp=1070000");
        assertThat(listed()).containsExactly("tri://192.0.2.7:20880*100");

        put("dubbo://192.0.2.7:20880/S?application=greeter&pid=1&timestamp=1140000");
        assertThat(listed()).containsExactly("192.0.2.7:20880*100");
    }

    @Test
    void theProtocolThatAProviderHasGivenUpCountsAsDeregistered() {
        put("dubbo://192.0.2.7:20880/S?pid=7");
        put("dubbo://192.0.2.8:20880/S?pid=7");
        providers.directory();
        remove("dubbo://192.0.2.7:20880/S?pid=7", 0);
        put("tri://192.0.2.7:20880/S?pid=8");

        assertThat(listed()).containsExactly("192.0.2.8:20880*100", "tri://192.0.2.7:20880*100");
        assertThat(providers.directory().deregistered(SERVICE)).containsExactly("192.0.2.7:20880");
    }

    private List<String> listed() {
        return Watcher.texts(providers.directory(), SERVICE);
    }

    @Test
    void aPortThatSpeaksDubboBesideTripleIsListedAsDubbo() {
        put("tri://192.0.2.7:50051/S?ext.protocol=dubbo,rest");

        assertThat(only().exports().get(0).parameters()).doesNotContainKey("protocol");
    }

    @Test
    void anotherPathThanTheInterfaceIsKept() {
        put("dubbo://192.0.2.7:20880/greetings?interface=com.example.Greeter");

        assertThat(only().exports().get(0).parameters()).isEqualTo(Map.of("path", "greetings"));
    }

    @Test
    void aMalformedEntryIsLoggedOnceAndWithoutItsToken() {
        put("dubbo://192.0.2.7:20880/S?token=s3cret&weight=many");
        put("dubbo://192.0.2.7:20880/S?token=s3cret&weight=many");
        put("dubbo://0.0.0.0:20880/S");
        put("dubbo://192.0.2.7/S");

        assertThat(providers.directory().endpoints(SERVICE)).isEmpty();
        assertThat(log.warnings())
                .containsExactly(
                        "provider of com.example.Greeter ignored: dubbo://192.0.2.7:20880/com.example.Greeter: weight: many (expected: a number);"
                                + " the endpoint is not listed",
                        "provider of com.example.Greeter ignored: dubbo://0.0.0.0:20880/com.example.Greeter: 0.0.0.0 (expected: neither wildcard,"
                                + " link-local nor multicast); the endpoint is not listed",
                        "provider of com.example.Greeter ignored: dubbo://192.0.2.7/com.example.Greeter: no port; the endpoint is not listed");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dubbo%3a%2f%2f192.0.2.7%3Ax%2fS%3ftoken%3dS3CRET",
                "dubbo%3A%2F%2F192.0.2.7%3Ax%2FS%253Ftoken%253DS3CRET",
                "dubbo://192.0.2.7:x/S?token=S3CRET",
                "dubbo://192.0.2.7:x/S?token=S3CRET@x",
                "dubbo://user:S3CRET@192.0.2.7:x/S",
                "dubbo%3A%2F%2Fuser%3AS3CRET%40192.0.2.7%3Ax%2FS",
                "dubbo://user:S3?CRET@192.0.2.7:x/S"
            })
    void noFormOfAMalformedEntryHasItsSecretsInTheLog(String key) {
        providers.put(SERVICE, key, 0);

        assertThat(log.warnings())
                .singleElement()
                .asString()
                .startsWith("provider of com.example.Greeter ignored: dubbo://")
                .doesNotContain("S3")
                .doesNotContain("CRET");
    }

    @Test
    void anEmptyNameOfASerializationIsNone() {
        put("dubbo://192.0.2.7:20880/S?prefer.serialization=,&serialization=hessian2");

        assertThat(only().exports()).extracting(DubboExport::serialization).containsExactly("hessian2");
    }

    @Test
    void aProtocolMayBeNamedTwice() {
        put("tri://192.0.2.7:50051/S?ext.protocol=dubbo,dubbo");
        put("tri://192.0.2.8:50051/S?ext.protocol=,");

        assertThat(Watcher.texts(providers.directory(), SERVICE))
                .containsExactly("192.0.2.7:50051*100", "tri://192.0.2.8:50051*100");
        assertThat(log.warnings()).isEmpty();
    }

    @Test
    void anEntryThatFailsUnexpectedlyIsLeftOutLikeAMalformedOne() {
        providers.put(SERVICE, "id", new DubboUrl("dubbo", null, 20880, "", Map.of()), "", 0);
        put("dubbo://192.0.2.7:20880/S");

        assertThat(only().address()).isEqualTo("192.0.2.7:20880");
        assertThat(log.warnings()).singleElement().asString().contains("ignored: id: java.lang.NullPointerException");
    }

    @Test
    void aMalformedValueOfAKnownKeyLeavesTheLastGoodOne() {
        providers.put(SERVICE, "id", DubboUrl.parse("dubbo://192.0.2.7:20880/S?weight=7"), "", 0);
        providers.put(SERVICE, "id", DubboUrl.parse("dubbo://192.0.2.7:20880/S?weight=x"), "", 0);

        assertThat(only().weight()).isEqualTo(7);
        assertThat(log.warnings()).singleElement().asString().endsWith("the endpoint stays as it was");

        providers.remove(SERVICE, "id", 0);
        assertThat(providers.directory().endpoints(SERVICE)).isEmpty();
    }

    @Test
    void aProviderThatEndedWhileOthersServeCountsAsDeregisteredForTenSeconds() {
        put("dubbo://192.0.2.1:1/S");
        put("dubbo://192.0.2.2:1/S");
        remove("dubbo://192.0.2.1:1/S", 0);

        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isTrue();

        providers.expire(DubboProviders.DEREGISTERED_NS);
        put("dubbo://192.0.2.3:1/S");
        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isFalse();
    }

    @Test
    void theLastProviderOfAServiceCountsAsLapsed() {
        put("dubbo://192.0.2.1:1/S");
        put("dubbo://192.0.2.2:1/S?weight=0");
        remove("dubbo://192.0.2.1:1/S", 0);

        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isFalse();
    }

    @Test
    void aProviderThatIsMissingInANewListCountsAsLapsed() {
        put("dubbo://192.0.2.1:1/S");
        put("dubbo://192.0.2.2:1/S");
        providers.retain(SERVICE, List.of(encoded("dubbo://192.0.2.2:1/S")));

        assertThat(Watcher.texts(providers.directory(), SERVICE)).containsExactly("192.0.2.2:1*100");
        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isFalse();
    }

    @Test
    void aProviderThatIsMissingInAListReadForAChangeCountsAsDeregistered() {
        put("dubbo://192.0.2.1:1/S");
        put("dubbo://192.0.2.2:1/S");
        providers.removeOthers(SERVICE, List.of(encoded("dubbo://192.0.2.2:1/S")), 0);

        assertThat(Watcher.texts(providers.directory(), SERVICE)).containsExactly("192.0.2.2:1*100");
        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isTrue();
    }

    /** Another list tells which entries of instances there are. */
    @Test
    void anInstanceWhoseChangeIsMalformedStaysWhenThoseByInterfaceAreReadAnew() {
        String url = "dubbo://192.0.2.1:1/S?weight=";
        providers.put(SERVICE, "instance", DubboUrl.parseEncoded(encoded(url + "5")), "r1", 0);
        providers.put(SERVICE, "instance", DubboUrl.parseEncoded(encoded(url + "abc")), "r1", 0);
        providers.retain(SERVICE, List.of());
        providers.removeOthers(SERVICE, List.of(), 0);

        assertThat(Watcher.texts(providers.directory(), SERVICE)).containsExactly("192.0.2.1:1*5");
        assertThat(providers.directory().isDeregistered(SERVICE, "192.0.2.1:1")).isFalse();
    }

    @Test
    void overridesChangeWeightsAndTakeProvidersOut() {
        put("dubbo://192.0.2.1:1/S?application=a");
        put("dubbo://192.0.2.2:1/S?application=a");
        put("dubbo://192.0.2.3:1/S?application=b");
        put("dubbo://192.0.2.3:2/S?application=b");
        override(
                "override://192.0.2.1/S?category=configurators&weight=30&application=*",
                "override://0.0.0.0/S?category=configurators&weight=70&application=a",
                "override://192.0.2.3:1/S?category=configurators&disabled=true");

        assertThat(Watcher.texts(providers.directory(), SERVICE))
                .containsExactly("192.0.2.1:1*30", "192.0.2.2:1*70", "192.0.2.3:1*0", "192.0.2.3:2*100");

        override();
        assertThat(Watcher.texts(providers.directory(), SERVICE))
                .containsExactly("192.0.2.1:1*100", "192.0.2.2:1*100", "192.0.2.3:1*100", "192.0.2.3:2*100");
    }

    @Test
    void overridesChangeTheTimeoutsOfCalls() {
        put("dubbo://192.0.2.1:1/S?timeout=1000&slow.timeout=2000&retries=1");
        override(
                "override://0.0.0.0/S?timeout=3000&retries=5",
                "absent://0.0.0.0/S?slow.timeout=9000&long.timeout=8000");

        assertThat(only().exports().get(0).parameters())
                .containsEntry("timeout", "3000")
                .containsEntry("slow.timeout", "2000")
                .containsEntry("long.timeout", "8000")
                .containsEntry("retries", "1");

        override();
        assertThat(only().exports().get(0).timeouts()).isEqualTo(Map.of("timeout", "1000", "slow.timeout", "2000"));
    }

    @Test
    void overridesThatAreNotInForceOrForOthersChangeNothing() {
        put("dubbo://192.0.2.1:1/S?version=1.0&weight=10");
        override(
                "override://0.0.0.0/S?weight=30&enabled=false&version=1.0",
                "override://192.0.2.1/S?weight=30&side=consumer&version=1.0",
                "override://0.0.0.0/S?weight=30&version=2.0",
                "absent://0.0.0.0/S?weight=30&version=1.0",
                "override://0.0.0.0/S?timeout=30&version=1.0");

        assertThat(only().weight()).isEqualTo(10);
    }

    @Test
    void anOverrideThatCannotBeUnderstoodIsLoggedOnceAndLeftOut() {
        put("dubbo://192.0.2.1:1/S");
        override("override://0.0.0.0/S?weight=many", "override://0.0.0.0/S?weight=30");
        override("override://0.0.0.0/S?weight=many", "override://0.0.0.0/S?weight=40");

        assertThat(only().weight()).isEqualTo(40);
        assertThat(log.warnings())
                .containsExactly(
                        "override of com.example.Greeter ignored: override://0.0.0.0/com.example.Greeter: weight: many"
                                + " (expected: a number)");
    }

    private void override(String... urls) {
        providers.putOverrides(
                SERVICE, Arrays.stream(urls).map(DubboProvidersTest::encoded).toList(), 0);
    }

    @Test
    void theListOfAServiceIsTheSameObjectAsLongAsNothingAboutItChanged() {
        put("dubbo://192.0.2.1:1/S?timestamp=1");
        Directory before = providers.directory();
        put("dubbo://192.0.2.1:1/S?timestamp=1");
        assertThat(providers.directory()).isSameAs(before);

        providers.put("com.example.Other", encoded("dubbo://192.0.2.1:1/S"), 0);
        assertThat(providers.directory()).isNotSameAs(before);
        assertThat(providers.directory().endpoints(SERVICE)).isSameAs(before.endpoints(SERVICE));
    }

    @Test
    void aServiceWithoutProvidersIsListed() {
        providers.addService(SERVICE);
        providers.addService("no service/");

        assertThat(providers.directory().services()).containsExactly(SERVICE);
        assertThat(providers.directory().endpoints(SERVICE)).isEmpty();
    }

    @Test
    void aServiceHasAtMostSoManyEndpoints() {
        for (int i = 0; i <= DubboProviders.MAX_ENDPOINTS; i++) {
            put("dubbo://192.0.2." + i % 250 + ":" + (1 + i / 250) + "/S");
        }

        assertThat(providers.directory().endpoints(SERVICE)).hasSize(DubboProviders.MAX_ENDPOINTS);
        assertThat(log.warnings())
                .containsExactly("com.example.Greeter: more than 4096 endpoints, the rest is ignored");
    }

    private Endpoint only() {
        List<Endpoint> endpoints = providers.directory().endpoints(SERVICE);
        assertThat(endpoints).hasSize(1);
        return endpoints.get(0);
    }

    @Test
    void servicesWithoutEntriesMakeRoomForOthers() {
        String url = encoded("dubbo://192.0.2.1:20880/S");
        for (int i = 0; i < DubboProviders.MAX_SERVICES; i++) {
            providers.put("a.Gone" + i, url, 0);
            if (i > 0) {
                providers.lapse("a.Gone" + i, url);
            }
        }
        assertThat(providers.directory().services()).hasSize(DubboProviders.MAX_SERVICES);

        put("dubbo://192.0.2.1:20880/S");

        assertThat(providers.directory().services()).containsExactlyInAnyOrder("a.Gone0", SERVICE);
        assertThat(Watcher.texts(providers.directory(), SERVICE)).hasSize(1);
        assertThat(log.warnings()).isEmpty();
    }

    private void put(String url) {
        providers.put(SERVICE, encoded(url), 0);
    }

    private void remove(String url, long nowNs) {
        providers.remove(SERVICE, encoded(url), nowNs);
    }

    private static String encoded(String url) {
        // "S" is short for the service.
        return URLEncoder.encode(url.replaceAll("/S(?=$|\\?)", "/com.example.Greeter"), UTF_8);
    }
}
