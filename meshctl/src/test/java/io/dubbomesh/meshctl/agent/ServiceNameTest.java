package io.dubbomesh.meshctl.agent;

import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ServiceNameTest {
    private static final List<String> REGISTERED =
            List.of("b.Shop", "a.Shop", "a.Clock", "a.MyShop", "Plain", "a.Plain");

    private static String named(String text) {
        return ServiceName.parse(text).among(REGISTERED).key().toString();
    }

    @Test
    void aNameWithoutItsPackageIsTheOnlyServiceThatHasIt() {
        assertThat(named("Clock")).isEqualTo("a.Clock");
        assertThat(named("Clock:1.0:g")).isEqualTo("a.Clock:1.0:g");
        assertThat(named("MyShop")).isEqualTo("a.MyShop");
    }

    @Test
    void severalAreListed() {
        assertThatThrownBy(() -> named("Shop"))
                .isInstanceOf(MeshctlException.class)
                .hasMessage("Shop: several services have this name (expected: one of a.Shop, b.Shop)");
    }

    @Test
    void anyOtherNameStays() {
        assertThat(named("a.Shop")).isEqualTo("a.Shop");
        assertThat(named("c.Shop")).isEqualTo("c.Shop");
        assertThat(named("Plain")).isEqualTo("Plain");
        assertThat(named("Nothing")).isEqualTo("Nothing");
        assertThat(named("hop")).isEqualTo("hop");
    }
}
