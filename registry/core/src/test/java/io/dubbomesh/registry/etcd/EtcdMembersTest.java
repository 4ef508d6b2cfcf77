package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.HostPort;
import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EtcdMembersTest {
    @Test
    void theMembersOfEtcdAreTriedInTurn() throws Exception {
        EtcdMembers members =
                new EtcdMembers(List.of(new HostPort("127.0.0.1", 1), new HostPort("::1", 2)), EtcdAccess.OPEN, 2_000);
        Set<String> tried = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            try (EtcdSession session = members.next()) {
                tried.add(session.member().toString());
            }
        }
        assertThat(tried).containsExactlyInAnyOrder("127.0.0.1:1", "[::1]:2");
    }

    @Test
    void aMemberWithAnUnknownHostIsAFailure() {
        EtcdMembers members = new EtcdMembers(List.of(new HostPort("etcd.invalid", 2379)), EtcdAccess.OPEN, 2_000);

        assertThatThrownBy(members::next).isInstanceOf(EtcdFailure.class).hasMessage("unknown host etcd.invalid");
    }
}
