package io.dubbomesh.meshctl.agent;

import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ServiceSuggestionTest {
    private static final List<ServiceKey> SERVED = Stream.of(
                    "a.Shop:1.0", "a.Shop:1.0:blue", "a.Shop:1", "a.Shop:1.0.RELEASE", "a.Shop:1.0.RELEASE:shop.blue")
            .map(ServiceKey::parse)
            .toList();

    @ParameterizedTest
    @CsvSource({
        "com.example.Shop.greet, did you mean com.example.Shop? meshctl call takes the method apart: com.example.Shop greet",
        "com.example.Shp, did you mean com.example.Shop? meshctl ls services lists all",
        "com.exampel.Shop, did you mean com.example.Shop? meshctl ls services lists all",
        "com.example.Stop.greet, ",
        "com.example.Clock, ",
        "com.example.Shop, ",
        "Shop, ",
        "Shp, ",
    })
    void theHintNamesTheServiceAndHowItIsWritten(String typed, String hint) {
        assertThat(ServiceSuggestion.hint(typed, List.of("com.example.Shop", "com.example.OrderService")))
                .isEqualTo(hint);
    }

    @ParameterizedTest
    @CsvSource({
        "a.Shop:1.0.greet, did you mean a.Shop:1.0? meshctl call takes the method apart: a.Shop:1.0 greet",
        "a.Shop:1.0:blue.greet, did you mean a.Shop:1.0:blue? meshctl call takes the method apart: a.Shop:1.0:blue greet",
        "a.Shop:1.greet, did you mean a.Shop:1? meshctl call takes the method apart: a.Shop:1 greet",
        "a.Shop:1.0.RELEASE.greet, did you mean a.Shop:1.0.RELEASE? meshctl call takes the method apart: a.Shop:1.0.RELEASE greet",
        "a.Shop:1.0, ",
        "a.Shop:1.0.RELEASE, ",
        "a.Shop:1.0.RELEASE:shop.blue, ",
        "a.Shop:2.7.Final, ",
        "a.Shop:1.0:shop.green, ",
        "a.Order:1.0.greet, ",
        "a.Shop:1.0.0, ",
        "a.Shop:1.0:blue, ",
        "a.Shop.greet, ",
        "Shop:1, ",
    })
    void theHintForAVersionWithAMethodNamesBothApart(String typed, String hint) {
        assertThat(ServiceSuggestion.ofVariant(ServiceKey.parse(typed), SERVED)).isEqualTo(hint);
    }
}
