package io.dubbomesh.provider;

import io.dubbomesh.client.call.LimitSettings;
import io.dubbomesh.client.definition.ApiJars;
import io.dubbomesh.client.definition.DescriptorFiles;
import io.dubbomesh.client.definition.SourceFiles;
import io.dubbomesh.client.discovery.ArgumentValidation;
import io.dubbomesh.client.discovery.DiscoverySettings;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.process.StartException;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ProviderSettingsTest {
    private static Settings settings(String... keysAndValues) {
        Map<String, String> properties = new HashMap<>(Map.of("dubbo.services", "a.B", "mesh.open", "true"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return Settings.of(ProviderSettings.REFERENCE, properties, Map.of());
    }

    private static ProviderSettings parsed(String... keysAndValues) {
        return ProviderSettings.from(settings(keysAndValues));
    }

    @Test
    void theDefaultsAreThoseOfTheDesign() {
        ProviderSettings settings = parsed();

        assertThat(settings.server().host()).isEqualTo("0.0.0.0");
        assertThat(settings.server().port()).isEqualTo(30000);
        assertThat(settings.admin().host()).isEqualTo("127.0.0.1");
        assertThat(settings.admin().port()).isEqualTo(30001);
        assertThat(settings.registration().registry()).isEqualTo("etcd://127.0.0.1:2379");
        assertThat(settings.registration().host()).isNull();
        assertThat(settings.registration().weight().weight()).isEqualTo(1);
        assertThat(settings.limit().calls()).isEqualTo(180);
        assertThat(settings.limit().queue()).isEqualTo(64);
        assertThat(settings.limit().isLearnt()).isFalse();
        assertThat(settings.dubbo().provider()).hasToString("127.0.0.1:20880");
        assertThat(settings.dubbo().serialization()).isEqualTo(Serialization.HESSIAN2);
        assertThat(settings.dubbo().maxPayload()).isEqualTo(8 * 1024 * 1024);
        assertThat(settings.mesh().errorsStack()).isFalse();
        assertThat(settings.mesh().maxFrame()).isEqualTo(8 * 1024 * 1024 + 64 * 1024);
        assertThat(settings.mesh().tableSize()).isEqualTo(4096);
        assertThat(settings.mesh().heartbeatMs()).isEqualTo(1000);
        assertThat(settings.dubbo().heartbeatMs()).isEqualTo(60_000);
        assertThat(settings.dubbo().silenceMs()).isEqualTo(2_000);
        assertThat(settings.discovery())
                .isEqualTo(new DiscoverySettings(
                        true,
                        2000,
                        "",
                        ApiJars.NONE,
                        DescriptorFiles.NONE,
                        SourceFiles.NONE,
                        null,
                        ArgumentValidation.AUTO));
    }

    @Test
    void theLimitMayBeLearntWithinBounds() {
        LimitSettings limit = parsed("lb.limit", "auto").limit();
        assertThat(limit.isLearnt()).isTrue();
        assertThat(limit.min()).isEqualTo(1);
        assertThat(limit.calls()).isEqualTo(1000);
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("lb.limit", "auto", "lb.limit.min", "5", "lb.limit.max", "4"))
                .withMessage("lb.limit.min: 5 (expected: at most lb.limit.max)");
    }

    @Test
    void theProvidersPortMayStandWithItsHost() {
        assertThat(parsed("dubbo.protocol.host", "192.0.2.7:20890").dubbo().provider())
                .hasToString("192.0.2.7:20890");
        assertThat(parsed("dubbo.protocol.host", "[::1]:20890").dubbo().provider())
                .hasToString("[::1]:20890");
        assertThat(parsed("dubbo.protocol.host", "::1").dubbo().provider()).hasToString("[::1]:20880");
        assertThat(parsed("dubbo.protocol.host", "a:1", "dubbo.protocol.port", "1")
                        .dubbo()
                        .provider())
                .hasToString("a:1");
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("dubbo.protocol.host", "a:1", "dubbo.protocol.port", "2"))
                .withMessage("dubbo.protocol.host: a:1 (expected: a host, or host:port with the port of"
                        + " dubbo.protocol.port)");
    }

    @Test
    void theWeightIsANumberOrAutomatic() {
        assertThat(parsed("lb.weight", "auto").registration().weight().isAutomatic())
                .isTrue();
        assertThat(parsed("lb.weight", "auto").registration().weight().weight()).isOne();
        assertThat(parsed("lb.weight", "auto*3").registration().weight().weight())
                .isEqualTo(3);
        assertThat(parsed("lb.weight", "3").registration().weight().isAutomatic())
                .isFalse();
    }

    @Test
    void etcdMayBeNamedTheOldWay() {
        assertThat(parsed("etcd.url", "http://etcd:2379").registration().registry())
                .isEqualTo("http://etcd:2379");
        assertThat(parsed("etcd.url", "http://etcd:2379", "registry", "etcd://etcd:2379")
                        .registration()
                        .registry())
                .isEqualTo("http://etcd:2379");
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("etcd.url", "http://etcd:2379", "registry", "file:/a"))
                .withMessageStartingWith("etcd.url: http://etcd:2379 (expected: the same as registry");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dubbo.services|''|dubbo.services: not set (expected: auto, or interface[:version[:group]], by comma)",
                "dubbo.services|a b|dubbo.services: a b (expected: interface[:version[:group]])",
                "server.port|70000|server.port: 70000 (expected: 1-65535)",
                "advertise.host|0.0.0.0|advertise.host: 0.0.0.0 (expected: neither wildcard, link-local nor multicast)",
                "lb.weight|1001|lb.weight: 1001 (expected: 0-1000, auto, or auto*3 for three times as much)",
                "lb.weight|auto*|lb.weight: auto* (expected: 0-1000, auto, or auto*3 for three times as much)",
                "lb.weight|automatic|lb.weight: automatic (expected: 0-1000, auto, or auto*3 for three times as much)",
                "dubbo.api.jars|.,no/such.jar|dubbo.api.jars: .,no/such.jar"
                        + " (expected: jar files and directories that can be read, by comma; cannot be read: no/such.jar: no such file)",
                "dubbo.api.descriptors|no.desc|dubbo.api.descriptors: no.desc (expected: files that protoc has written with"
                        + " --descriptor_set_out and --include_imports, by comma; cannot be read: no.desc: no such file)",
                "lb.limit|0|lb.limit: 0 (expected: 1-100000 or auto)",
                "dubbo.serialization|kryo|dubbo.serialization: kryo (expected: hessian2, fastjson, fastjson2)",
                "metadata|etcd://192.0.2.1:2379|metadata: etcd://192.0.2.1:2379 (expected: a registry with Dubbo's metadata reports,"
                        + " as zookeeper://host:2181; or none)",
                "dubbo.token|a.B:1:g:x=s3cret|dubbo.token: entry 1 (expected: interface[:version[:group]]=token)",
                "dubbo.token|s3cret,a.B=c2VjcmV0==|dubbo.token: entry 2 (expected: a token of letters, digits, -, . and _)",
                "dubbo.token|s3cret,s4cret|dubbo.token: entry 2, a second one, for all services (expected: one token for a service)",
                "io.transport|carrier|io.transport: carrier (expected: auto, epoll, io_uring, nio)"
            })
    void aWrongValueIsReportedInOneLine(String key, String value, String message) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed(key, value))
                .withMessage(message);
    }

    @Test
    void everyWrongValueIsReportedAtOneStart() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed(
                        "server.port",
                        "70000",
                        "dubbo.protocol.host",
                        "",
                        "dubbo.services",
                        "a b",
                        "lb.limit",
                        "x",
                        "dubbo.api.jars",
                        "no/such.jar",
                        "mesh.table-size",
                        "-1",
                        "advertise.port",
                        "x",
                        "io.threads",
                        "-1"))
                .satisfies(e -> assertThat(e.problems()).hasSize(8));
    }

    @Test
    void tokensAreInOneSettingOrTheOther() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("dubbo.token", "s3cret", "dubbo.token-file", "/a"))
                .withMessage("dubbo.token-file: /a (expected: empty where dubbo.token is set)");
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> new ProviderAgent(
                        settings("registry", "static:a:1", "server.port", "0", "dubbo.token-file", "/no")))
                .withMessage("dubbo.token-file: /no: no such file");
    }

    @Test
    void anUnknownRegistryIsReportedInOneLine() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> new ProviderAgent(settings("registry", "consul://a", "server.port", "0")))
                .withMessageStartingWith("registry: consul://a (expected: ");
    }

    @Test
    void aRegistryThatIsOnlyReadIsRefused() {
        for (String registry : new String[] {"dns://a:20880/a.B", "etcd+dubbo://a"}) {
            assertThatExceptionOfType(SettingsException.class)
                    .isThrownBy(() -> new ProviderAgent(settings("registry", registry, "server.port", "0")))
                    .withMessage(
                            "registry: " + registry
                                    + " (expected: one in which provider agents register, as etcd; this one is for consumer agents)");
        }
    }

    @Test
    void aPortInUseIsReportedInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(() -> new ProviderAgent(
                            settings("registry", "static:a:1", "server.host", "127.0.0.1", "server.port", port)))
                    .withMessage("server.port: " + port + " (address already in use)");
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(() -> new ProviderAgent(settings(
                            "registry",
                            "static:a:1",
                            "server.host",
                            "127.0.0.1",
                            "server.port",
                            "0",
                            "admin.port",
                            port)))
                    .withMessage("admin.port: " + port + " (address already in use)");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.port", "admin.port"})
    void aPortInUseIsReportedBeforeTheRegistryAndTheProviderAreAsked(String setting) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket taken = new ServerSocket(0, 1, loopback);
                ServerSocket etcd = new ServerSocket(0, 1, loopback);
                ServerSocket provider = new ServerSocket(0, 1, loopback)) {
            Map<String, String> ports = new HashMap<>(Map.of("server.port", "0", "admin.port", "0"));
            ports.put(setting, String.valueOf(taken.getLocalPort()));
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(() -> new ProviderAgent(settings(
                            "registry",
                            "etcd://127.0.0.1:" + etcd.getLocalPort(),
                            "dubbo.protocol.port",
                            String.valueOf(provider.getLocalPort()),
                            "server.host",
                            "127.0.0.1",
                            "server.port",
                            ports.get("server.port"),
                            "admin.port",
                            ports.get("admin.port"))))
                    .withMessage(setting + ": " + taken.getLocalPort() + " (address already in use)");
            for (ServerSocket asked : List.of(etcd, provider)) {
                asked.setSoTimeout(100);
                assertThatExceptionOfType(SocketTimeoutException.class).isThrownBy(asked::accept);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.1", "no.such.host.invalid"})
    void aPortThatOtherHostsReachNeedsAProofOfWhoCalls(String host) {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("server.host", host, "mesh.open", "false"))
                .withMessage(
                        "server.host: " + host + " (expected: a loopback address as 127.0.0.1, since whoever reaches"
                                + " this port can execute every service; for other hosts set mesh.token-file, or mesh.tls.cert,"
                                + " mesh.tls.key and mesh.tls.ca, or mesh.open=true)");
        assertThat(parsed("server.host", host, "mesh.open", "false", "mesh.token-file", "/a")
                        .mesh()
                        .tokens())
                .hasToString("/a");
        assertThat(parsed("server.host", host, "mesh.open", "true").mesh().tokens())
                .isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.2", "::1", "localhost"})
    void aLoopbackPortNeedsNone(String host) {
        assertThat(parsed("server.host", host, "mesh.open", "false").server().host())
                .isEqualTo(host);
    }

    @Test
    void theFileOfTheTokenIsReadAtTheStart() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> new ProviderAgent(
                        settings("registry", "static:a:1", "server.port", "0", "mesh.token-file", "/no")))
                .withMessage("mesh.token-file: /no: no such file");
    }

    @Test
    void autoIsWhateverTheProviderExports() {
        ProviderSettings settings = parsed("dubbo.services", " Auto ", "dubbo.services.interval", "10 s");

        assertThat(settings.followsExports()).isTrue();
        assertThat(settings.exportsIntervalMs()).isEqualTo(10_000);
        assertThat(settings.services().variants()).isEmpty();
        assertThat(parsed("dubbo.services", "a.B").followsExports()).isFalse();
    }

    @Test
    void autoNeedsAnswersOfTheProvider() {
        assertThatExceptionOfType(SettingsException.class)
                .isThrownBy(() -> parsed("dubbo.services", "auto", "dubbo.check", "false"))
                .withMessage("dubbo.check: false (expected: true where dubbo.services is auto)");
    }
}
