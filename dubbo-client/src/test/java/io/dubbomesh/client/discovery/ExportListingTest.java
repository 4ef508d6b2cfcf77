package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class ExportListingTest {
    private static String error(String list) {
        return "com.alibaba.dubbo.remoting.RemotingException: Not found exported service: a.Typo:20880 in [" + list
                + "], may be version or group mismatch , channel: consumer: /127.0.0.1:36248 --> provider: /127.0.0.1:20880";
    }

    @ParameterizedTest
    @CsvSource({
        "a.Greeter:20880, a.Greeter",
        "a.Greeter:1.0:20880, a.Greeter:1.0",
        "g/a.Greeter:20880, a.Greeter::g",
        "blue/a.Shop:2.0.0:24033, a.Shop:2.0.0:blue",
    })
    void aServiceIsNamedAsInTheSetting(String listed, String expected) {
        assertThat(ExportListing.parse(error(listed)).names()).containsExactly(expected);
    }

    @Test
    void servicesAreInOrderWithoutThoseOfDubboItself() {
        assertThat(ExportListing.parse(error(
                                "b.B:20880, demo/org.apache.dubbo.metadata.MetadataService:1.0.0:20880, a.A:1.0:20880"))
                        .names())
                .containsExactly("a.A:1.0", "b.B");
    }

    @Test
    void ofManyServicesTheFirstAreListed() {
        String list =
                IntStream.range(100, 170).mapToObj(i -> "a.S" + i + ":20880").collect(Collectors.joining(", "));

        assertThat(ExportListing.parse(error(list)).names())
                .hasSize(51)
                .startsWith("a.S100")
                .endsWith("and 20 more");
    }

    @Test
    void aTextThatWasCutListsWhatIsLeftOfIt() {
        String error = error("a.A:20880, b.B:20880");

        ExportListing listing = ExportListing.parse(error.substring(0, error.indexOf("b.B") + 2));
        assertThat(listing.names()).containsExactly("a.A");
        assertThat(listing.isComplete()).isFalse();
    }

    @Test
    void aWholeListSaysWhatIsNotThere() {
        ExportListing listing =
                ExportListing.parse(error("a.A:20880, demo/org.apache.dubbo.metadata.MetadataService:1.0.0:20880"));
        assertThat(listing.isComplete()).isTrue();
        assertThat(listing.has(new ServiceKey("a.A", "", ""))).isTrue();
        assertThat(listing.has(new ServiceKey("org.apache.dubbo.metadata.MetadataService", "1.0.0", "demo")))
                .isTrue();
        assertThat(listing.has(new ServiceKey("a.A", "1.0", ""))).isFalse();
        assertThat(ExportListing.parse(error("")).isComplete()).isTrue();
        assertThat(ExportListing.parse(error("a.A:20880, what is this")).isComplete())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Fail to decode request", "Not found exported service: a in [x"})
    void otherTextsHaveNoList(String text) {
        assertThat(ExportListing.parse(text)).isEqualTo(ExportListing.NONE);
    }
}
