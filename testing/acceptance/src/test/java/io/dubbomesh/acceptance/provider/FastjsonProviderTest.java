package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Jvm;

import java.util.Map;

/** The 2018 benchmark's provider, Dubbo 2.6.1 with fastjson, behind an agent that uses fastjson. */
class FastjsonProviderTest extends SerializationTopic {
    FastjsonProviderTest() {
        super(Jvm.DUBBO_26, "fastjson", Map.of());
    }
}
