package io.dubbomesh.registry.dns;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SearchListTest {
    private static final String KUBERNETES = """
            search shop.svc.cluster.local svc.cluster.local cluster.local
            nameserver 10.96.0.10
            options ndots:5
            """;

    @Test
    void aNameWithFewDotsIsTriedInTheDomainsFirst() {
        assertThat(SearchList.parse(KUBERNETES).candidates("greeter.shop"))
                .containsExactly(
                        "greeter.shop.shop.svc.cluster.local.",
                        "greeter.shop.svc.cluster.local.",
                        "greeter.shop.cluster.local.",
                        "greeter.shop.");
    }

    @Test
    void aNameWithEnoughDotsIsTriedAsItIsFirst() {
        assertThat(SearchList.parse("domain example.com\n").candidates("greeter.shop"))
                .containsExactly("greeter.shop.", "greeter.shop.example.com.");
    }

    @Test
    void aNameThatEndsWithADotIsTriedAsItIsOnly() {
        assertThat(SearchList.parse(KUBERNETES).candidates("greeter.shop.")).containsExactly("greeter.shop.");
    }

    @Test
    void withoutDomainsANameIsTriedAsItIs() {
        assertThat(SearchList.parse("nameserver 192.0.2.1\nsearch .\n").candidates("greeter"))
                .containsExactly("greeter.");
    }
}
