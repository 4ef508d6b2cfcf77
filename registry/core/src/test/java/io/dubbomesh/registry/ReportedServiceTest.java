package io.dubbomesh.registry;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The names are those under which providers of Dubbo 2.7.23, 3.2.19 and 3.3.6 had their reports in a ZooKeeper. */
class ReportedServiceTest {
    private static ReportedService service(String version, String group) {
        return new ReportedService("io.dubbomesh.demo.shop.Shop", new Variant(version, group), "demo33");
    }

    @Test
    void thePathHasVersionAndGroupOnlyWhereThereAreAny() {
        assertThat(service("", "").folder()).isEqualTo("metadata/io.dubbomesh.demo.shop.Shop/provider");
        assertThat(service("2.0.0", "blue").folder())
                .isEqualTo("metadata/io.dubbomesh.demo.shop.Shop/2.0.0/blue/provider");
        assertThat(service("random", "").folder()).isEqualTo("metadata/io.dubbomesh.demo.shop.Shop/random/provider");
        assertThat(service("", "blue").folder()).isEqualTo("metadata/io.dubbomesh.demo.shop.Shop/blue/provider");
    }

    @Test
    void aNestedInterfaceIsEncoded() {
        assertThat(new ReportedService("a.Outer$Inner", Variant.NONE, "").folder())
                .isEqualTo("metadata/a.Outer%24Inner/provider");
    }

    @Test
    void theFlatKeyHasAllPartsEmptyOrNot() {
        assertThat(service("", "").key()).isEqualTo("io.dubbomesh.demo.shop.Shop:::provider:demo33");
        assertThat(service("2.0.0", "blue").key()).isEqualTo("io.dubbomesh.demo.shop.Shop:2.0.0:blue:provider:demo33");
    }
}
