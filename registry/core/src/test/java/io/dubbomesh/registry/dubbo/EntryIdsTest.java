package io.dubbomesh.registry.dubbo;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EntryIdsTest {
    private final EntryIds ids = new EntryIds();

    @Test
    void anIdDependsOnTheKeyAloneAndNotOnThoseBefore() {
        assertThat(ids.of("dubbo%3A%2F%2F192.0.2.7%3A20880"))
                .isEqualTo(new EntryIds().of("dubbo%3A%2F%2F192.0.2.7%3A20880"));
        assertThat(ids.of("")).isNotEqualTo(ids.of("a"));
        assertThat(ids.of("")).hasToString("d41d8cd9-8f00-b204-e980-0998ecf8427e");
    }
}
