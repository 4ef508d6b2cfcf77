package io.dubbomesh.runtime;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({
        "a.Shop, a.Shop",
        "a.Shp, a.Shop",
        "a.Shoop, a.Shop",
        "a.Shpo, a.Shop",
        "b.Clock, a.Clock",
        "a.Garden, ",
        "'', ",
    })
    void itIsTheKnownNameWithTheFewestEdits(String name, String nearest) {
        assertThat(NearestName.of(name, List.of("a.Clock", "a.Shop", "a.Shopping"), 2))
                .isEqualTo(nearest);
    }
}
