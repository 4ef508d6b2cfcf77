package io.dubbomesh.registry.dubbo;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.registry.metadata.MetadataServiceAddress;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DubboInstanceTest {
    private static final String INSTANCE = """
            {"name":"greeter","id":"192.0.2.7:20880","address":"192.0.2.7","port":20880,"sslPort":null,"payload":{
             "@class":"org.apache.dubbo.registry.zookeeper.ZookeeperInstance","id":"192.0.2.7:20880","name":"greeter","metadata":{
              "dubbo.endpoints":"[{\\"port\\":20880,\\"protocol\\":\\"dubbo\\"},{\\"port\\":50051,\\"protocol\\":\\"tri\\"}]",
              "dubbo.metadata-service.url-params":"{\\"port\\":\\"20880\\",\\"protocol\\":\\"dubbo\\",\\"version\\":\\"1.0.0\\"}",
              "dubbo.metadata.revision":"5aa8f2","dubbo.metadata.storage-type":"remote","timestamp":"1795369800123"}},
             "registrationTimeUTC":1795369800456,"serviceType":"DYNAMIC","uriSpec":null}
            """;
    private static final String METADATA = """
            {"app":"greeter","revision":"5aa8f2","services":{
             "a/com.example.Greeter:1.0:dubbo":{"name":"com.example.Greeter","group":"a","version":"1.0","protocol":"dubbo","port":20880,
              "path":"com.example.Greeter","params":{"side":"provider","release":"3.3.6","weight":"200","token":"t"}},
             "com.example.Other:tri":{"name":"com.example.Other","protocol":"tri","port":-1,"path":"com.example.Other","params":{}}}}
            """;

    @Test
    void readsWhatCuratorKeepsOfAnInstance() {
        DubboInstance instance = DubboInstance.parse(INSTANCE);

        assertThat(instance.application()).isEqualTo("greeter");
        assertThat(instance.host()).isEqualTo("192.0.2.7");
        assertThat(instance.revision()).isEqualTo("5aa8f2");
        assertThat(instance.isMetadataRemote()).isTrue();
    }

    /** Reads what Apache Dubbo 3.3.6 wrote into ZooKeeper. */
    @Test
    void readsARealInstance() throws Exception {
        DubboInstance instance =
                DubboInstance.parse(Files.readString(Path.of("src/test/resources/dubbo-instance.json")));

        assertThat(instance.application()).isEqualTo("dubbo33app");
        assertThat(instance.host()).isEqualTo("192.0.2.2");
        assertThat(instance.revision()).isEqualTo("88fcc4597aa6fb36f03faa4c2a88f824");
        assertThat(instance.isMetadataRemote()).isFalse();
    }

    /**
     * Reads what Apache Dubbo 3.3.6 wrote into ZooKeeper with the protocols dubbo and tri: both tell the metadata, and
     * Triple is named.
     */
    @Test
    void theMetadataServiceOfAnInstanceWithBothProtocolsIsAskedByDubbosOwnFirst() {
        DubboInstance instance = new DubboInstance(
                "both33",
                "192.0.2.2",
                29921,
                true,
                Map.of(
                        "dubbo.endpoints",
                        "[{\"port\":29921,\"protocol\":\"dubbo\"},{\"port\":29922,\"protocol\":\"tri\"}]",
                        "dubbo.metadata-service.url-params",
                        "{\"prefer.serialization\":\"hessian2,fastjson2\",\"version\":\"2.0.0\",\"dubbo\":\"2.0.2\",\"release\":\"3.3.6\","
                                + "\"side\":\"provider\",\"port\":\"29922\",\"protocol\":\"tri\"}",
                        "meta-v",
                        "2.0.0"));

        assertThat(instance.metadataService())
                .isEqualTo(new MetadataServiceAddress(
                        List.of(
                                EndpointProtocol.DUBBO.at("192.0.2.2", 29921),
                                EndpointProtocol.TRIPLE.at("192.0.2.2", 29922)),
                        "both33",
                        "2.0.0"));
    }

    @Test
    void itsServicesAreThoseOfItsRevisionAtThePortOfTheirProtocol() {
        List<DubboUrl> urls = DubboInstance.parse(INSTANCE).urls(DubboMetadata.parse(METADATA));

        assertThat(urls)
                .extracting(DubboUrl::toString)
                .containsExactly(
                        "dubbo://192.0.2.7:20880/com.example.Greeter", "tri://192.0.2.7:50051/com.example.Other");
        assertThat(urls.get(0).parameters())
                .containsEntry("application", "greeter")
                .containsEntry("version", "1.0")
                .containsEntry("group", "a")
                .containsEntry("token", "t")
                .containsEntry("timestamp", "1795369800123");
    }

    /** The entry of an instance of Dubbo 3 that was started with {@code -Ddubbo.labels=zone=north;region=eu}. */
    @Test
    void itsZoneIsThatOfItsServices() {
        String labelled = INSTANCE.replace("\"metadata\":{", "\"metadata\":{\"zone\":\"north\",\"region\":\"eu\",");

        assertThat(DubboInstance.parse(labelled).urls(DubboMetadata.parse(METADATA)))
                .allSatisfy(url -> assertThat(url.parameters())
                        .containsEntry("zone", "north")
                        .containsEntry("region", "eu"));
    }

    @Test
    void aZoneOfAServiceIsNotThatOfItsInstance() {
        String labelled = INSTANCE.replace("\"metadata\":{", "\"metadata\":{\"zone\":\"north\",");
        String own = METADATA.replace("\"side\":\"provider\"", "\"zone\":\"south\"");

        assertThat(DubboInstance.parse(labelled).urls(DubboMetadata.parse(own)))
                .extracting(url -> url.parameters().get("zone"))
                .containsExactly("south", "north");
    }

    @Test
    void anInstanceThatRegistersNoProtocolOfTheAgentsIsForeign() {
        assertThat(foreign("[{\"port\":50051,\"protocol\":\"tri\"}]")).isNull();
        assertThat(foreign("[{\"port\":8080,\"protocol\":\"rest\"},{\"port\":50051,\"protocol\":\"tri\"}]"))
                .isNull();
        assertThat(foreign("[{\"port\":8080,\"protocol\":\"rest\"}]")).isEqualTo("192.0.2.2:8080 rest");

        assertThat(foreign("[{\"port\":20880,\"protocol\":\"dubbo\"},{\"port\":50051,\"protocol\":\"tri\"}]"))
                .isNull();
        assertThat(foreign("[{\"port\":50051}]")).isNull();
        assertThat(foreign("[{\"port\":0,\"protocol\":\"rest\"}]")).isEqualTo("192.0.2.2:20880 rest");
        assertThat(foreign("[]")).isNull();
        assertThat(foreign("{")).isNull();
        assertThat(new DubboInstance("greeter", "192.0.2.2", 50051, true, Map.of()).foreignOnly())
                .isNull();
    }

    private static String foreign(String endpoints) {
        Endpoint foreign = new DubboInstance("greeter", "192.0.2.2", 20880, true, Map.of("dubbo.endpoints", endpoints))
                .foreignOnly();
        return foreign == null
                ? null
                : foreign.address()
                        + ' '
                        + foreign.exports().get(0).parameters().get(DubboExport.PROTOCOL);
    }

    @Test
    void anInstanceOfAnotherFrameworkIsNone() {
        assertThat(DubboInstance.parse(
                        "{\"name\":\"spring\",\"address\":\"a\",\"port\":1,\"payload\":{\"metadata\":{}}}"))
                .isNull();
        assertThat(DubboInstance.parse("{\"name\":\"spring\",\"payload\":null}"))
                .isNull();
        assertThat(DubboInstance.parse("[]")).isNull();
    }

    @Test
    void whatIsNoJsonIsRefused() {
        assertThatThrownBy(() -> DubboInstance.parse("192.0.2.7")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DubboMetadata.parse("{}")).hasMessage("no services");
    }
}
