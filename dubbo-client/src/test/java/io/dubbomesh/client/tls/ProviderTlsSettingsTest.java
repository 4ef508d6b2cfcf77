package io.dubbomesh.client.tls;

import io.dubbomesh.client.tls.ProviderTlsSettings.Mode;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.runtime.settings.SettingsException;
import io.dubbomesh.testsupport.tls.CertificateAuthority;
import io.dubbomesh.testsupport.tls.TlsFiles;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ProviderTlsSettingsTest {
    @TempDir
    Path directory;

    private String authorities;
    private TlsFiles files;

    @BeforeEach
    void write() throws Exception {
        CertificateAuthority authority = new CertificateAuthority("ca");
        files = authority.write(directory, authority.sign("gateway.test"));
        authorities = files.authorities().toString();
    }

    private static ProviderTlsSettings settings(Map<String, String> properties) {
        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        ProviderTlsSettings read = ProviderTlsSettings.from(settings);
        settings.check();
        return read;
    }

    private static void assertWrong(Map<String, String> properties, String message) {
        assertThatThrownBy(() -> settings(properties))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(message);
    }

    @Test
    void byDefaultProvidersThatRegisterItAreCalledWithIt() {
        try (ProviderTls tls = ProviderTls.open(settings(Map.of()))) {
            assertThat(tls.isFor(false)).isFalse();
            assertThat(tls.isFor(true)).isTrue();
            assertThat(tls.connector(false)).isNull();
            assertThat(tls.connector(true)).isNotNull().isSameAs(tls.connector(true));
            assertThat(tls.dependsOnRegistration()).isFalse();
        }
    }

    @Test
    void allProvidersAreCalledWithItOrNone() {
        try (ProviderTls on = ProviderTls.open(settings(Map.of("dubbo.tls.mode", "on")));
                ProviderTls off = ProviderTls.open(settings(Map.of("dubbo.tls.mode", "off")))) {
            assertThat(on.connector(false)).isNotNull();
            assertThat(on.isFor(false)).isTrue();
            assertThat(off.connector(true)).isNull();
            assertThat(off.isFor(true)).isFalse();
        }
    }

    @Test
    void instancesOfUnknownMetadataMayHaveItWhereCertificatesCanBeChecked() {
        Map<String, String> properties = Map.of("dubbo.tls.mode", "auto", "dubbo.tls.ca", authorities);
        try (ProviderTls tls = ProviderTls.open(settings(properties))) {
            assertThat(tls.dependsOnRegistration()).isTrue();
        }
    }

    @Test
    void whoSetsCertificatesSaysWhichProvidersAreCalledInPlainText() {
        assertWrong(
                Map.of("dubbo.tls.ca", authorities),
                "dubbo.tls.mode: auto (expected: on, or set to auto for plain text to the providers that do not register TLS,"
                        + " since others of dubbo.tls are set)");
        assertWrong(
                Map.of("dubbo.tls.mode", "off", "dubbo.tls.peer-names", "a.test"), "dubbo.tls.mode: off (expected: on");
        assertThat(settings(Map.of("dubbo.tls.mode", "auto", "dubbo.tls.ca", authorities))
                        .mode())
                .isEqualTo(Mode.AUTO);
    }

    @Test
    void theProviderOfAProviderAgentRegistersNothingThatItReads() {
        Settings settings = Settings.of("dubbo-settings.conf", Map.of("dubbo.tls.mode", "auto"), Map.of());
        ProviderTlsSettings.ofOneProvider(settings);
        assertThatThrownBy(settings::check).hasMessageContaining("dubbo.tls.mode: auto (expected: off, on)");
    }

    @Test
    void aCertificateNeedsItsKey() {
        assertWrong(
                Map.of(
                        "dubbo.tls.mode",
                        "on",
                        "dubbo.tls.cert",
                        files.certificate().toString()),
                "dubbo.tls.key: not set (expected: a file, since others of dubbo.tls.cert, dubbo.tls.key are set)");
    }

    @Test
    void filesThatCannotBeUsedStopTheStart() {
        Map<String, String> properties = new HashMap<>();
        properties.put("dubbo.tls.mode", "on");
        properties.put("dubbo.tls.ca", files.key().toString());
        assertThatThrownBy(() -> ProviderTls.open(settings(properties)))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("dubbo.tls.ca: " + files.key());

        Settings settings = Settings.of("dubbo-settings.conf", properties, Map.of());
        ProviderTls.check(settings, ProviderTlsSettings.from(settings));
        assertThatThrownBy(settings::check).hasMessageStartingWith("dubbo.tls.ca: " + files.key());
    }
}
