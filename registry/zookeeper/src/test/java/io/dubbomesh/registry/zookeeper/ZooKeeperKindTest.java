package io.dubbomesh.registry.zookeeper;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ZooKeeperKindTest {
    @Test
    void agentsOfEachRootOfDubboHaveARootOfTheirOwn() {
        assertThat(ZooKeeperKind.agentsRoot("/dubbo")).isEqualTo("/dubbomesh");
        assertThat(ZooKeeperKind.agentsRoot("/shop")).isEqualTo("/dubbomesh-shop");
        assertThat(ZooKeeperKind.agentsRoot("/a-b")).isEqualTo("/dubbomesh-a-b");
        assertThat(ZooKeeperKind.agentsRoot("/a/b")).isEqualTo("/dubbomesh-a+b");
        assertThat(ZooKeeperKind.agentsRoot("/a/b-c/d")).isEqualTo("/dubbomesh-a+b-c+d");
    }
}
