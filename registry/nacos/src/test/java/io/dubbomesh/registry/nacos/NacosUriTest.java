package io.dubbomesh.registry.nacos;

import io.dubbomesh.registry.config.RegistryUri;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class NacosUriTest {
    @Test
    void aUriHasServersAndOptions(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("user"), "reader\ns3cret\n");

        NacosUri uri = NacosUri.parse("nacos://a,b:8849?namespace=shop&group=G&username-file=" + file);

        assertThat(uri.servers()).isEqualTo("a:8848,b:8849");
        assertThat(uri.namespace()).isEqualTo("shop");
        assertThat(uri.group()).isEqualTo("G");
        assertThat(uri.user()).isEqualTo("reader");
        assertThat(uri.password()).isEqualTo("s3cret");
        assertThat(uri.toString()).doesNotContain("reader", "s3cret");
    }

    @Test
    void servicesAreInDubbosGroupUnlessItIsNamed() {
        assertThat(NacosUri.parse("nacos://a").group()).isEqualTo("DEFAULT_GROUP");
    }

    @Test
    void theKindIsFoundByItsScheme() {
        assertThatCode(() ->
                        RegistryUri.open("nacos://a:8848,b:8848,file:/nowhere").close())
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nacos://",
                "nacos://a:0",
                "nacos://a/path",
                "nacos://a?x=y",
                "nacos://a?group=",
                "nacos://a?group=a&group=b",
                "nacos://a?username-file="
            })
    void aMalformedUriIsRefusedWithWhatWasExpected(String uri) {
        assertThatThrownBy(() -> RegistryUri.open(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("nacos://host:8848[,host:8848][?namespace=&group=&username-file=]");
    }

    @Test
    void aFileThatCannotBeUsedIsNamedWithItsOption(@TempDir Path folder) throws IOException {
        Path one = Files.writeString(folder.resolve("one"), "reader\n");
        assertThatThrownBy(() -> RegistryUri.open("nacos://a?username-file=" + one))
                .hasMessageContaining("nacos: username-file " + one + ": not two lines");
        assertThatThrownBy(() -> RegistryUri.open("nacos://a?username-file=/nowhere"))
                .hasMessageContaining("nacos: username-file /nowhere: cannot be read");
    }
}
