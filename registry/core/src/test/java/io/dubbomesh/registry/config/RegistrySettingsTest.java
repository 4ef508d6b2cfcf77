package io.dubbomesh.registry.config;

import io.dubbomesh.runtime.settings.SecretFile;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RegistrySettingsTest {
    @Test
    void theRegistryIsWhatItsSettingSays() {
        assertThat(uri()).isEqualTo("etcd://127.0.0.1:2379");
        assertThat(uri("registry", "file:/tmp/r")).isEqualTo("file:/tmp/r");
    }

    @Test
    void anEtcdUrlIsARegistry() {
        assertThat(uri("etcd.url", "http://etcd:2379")).isEqualTo("http://etcd:2379");
    }

    @Test
    void registryAndEtcdUrlMaySayTheSame() {
        assertThat(uri("registry", "etcd://etcd:2379", "etcd.url", "http://etcd:2379"))
                .isEqualTo("http://etcd:2379");
    }

    @Test
    void registryAndEtcdUrlMustNotDisagree() {
        assertThatThrownBy(() -> uri("registry", "file:/r", "etcd.url", "http://etcd:2379"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "etcd.url: http://etcd:2379 (expected: the same as registry, which is file:/r, or one of them alone)");
    }

    @Test
    void passwordsInTwoRegistriesThatDisagreeAreNotRepeated() {
        assertThatThrownBy(() -> uri("registry", "etcd://mesh:s3/cret@a:2379", "etcd.url", "http://mesh:s3cret@b:2379"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith(
                        "etcd.url: http://...@b:2379 (expected: the same as registry, which is etcd://...@a:2379, or one of them alone)");
    }

    @Test
    void aRegistryOfAnUnknownKindIsRefused() {
        assertThatThrownBy(() -> uri("registry", "zookeeper://a"))
                .isInstanceOf(SettingsException.class)
                .hasMessage(
                        "registry: zookeeper://a (expected: etcd://host:2379[,host:2379][?username-file=&ca=&cert=&key=],"
                                + " etcd+dubbo://host:2379[,host:2379][/root][?username-file=&ca=&cert=&key=],"
                                + " dns://name[:port]/interface[:version[:group]],..., file:/dir or static:host:port*weight,...)");
        assertThatThrownBy(() -> uri("etcd.url", "a"))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("etcd.url: a (expected: etcd://host:2379");
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd", "http", "etcd+dubbo"})
    void aPublicFileIsLoggedWhereTheRegistryIsUsedAndNotWhereItsSettingIsChecked(String scheme, @TempDir Path directory)
            throws Exception {
        Path user = Files.writeString(directory.resolve("user"), "mesh\nsecret\n");
        Files.setPosixFilePermissions(user, PosixFilePermissions.fromString("rw-r--r--"));
        try (RecordedLog log = new RecordedLog(SecretFile.class)) {
            String uri = uri("registry", scheme + "://127.0.0.1:1?username-file=" + user);
            assertThat(log.lines()).isEmpty();

            RegistryUri.open(uri).close();
            assertThat(log.lines())
                    .containsExactly("etcd: username-file: " + user
                            + " can be read by every user of this machine (expected: chmod o-rwx)");
        }
    }

    @Test
    void theZoneIsANameOrNone() {
        assertThat(zone("")).isEmpty();
        assertThat(zone(" eu-north-1a ")).isEqualTo("eu-north-1a");
        assertThatThrownBy(() -> zone("north,south"))
                .isInstanceOf(SettingsException.class)
                .hasMessage("zone: zone north,south (expected: 1-63 letters, digits, '.', '_' or '-', the first and the"
                        + " last no sign)");
    }

    private static String zone(String name) {
        return read(RegistrySettings::zone, "zone", name);
    }

    private static String uri(String... keysAndValues) {
        return read(RegistrySettings::uri, keysAndValues);
    }

    private static String read(Function<Settings, String> reader, String... keysAndValues) {
        Map<String, String> properties = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            properties.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        Settings settings = Settings.of("registry-settings.conf", properties, Map.of());
        String read = reader.apply(settings);
        settings.check();
        return read;
    }
}
