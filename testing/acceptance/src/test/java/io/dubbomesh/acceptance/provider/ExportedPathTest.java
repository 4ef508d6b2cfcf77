package io.dubbomesh.acceptance.provider;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.Mesh;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;

/** Real providers that export their services under other names than those of the interfaces, behind provider agents. */
@Timeout(120)
class ExportedPathTest {
    static List<Jvm> versions() {
        return Jvm.selected(
                Jvm.DUBBO_2510,
                Jvm.DUBBO_26,
                Jvm.DUBBO_2612,
                Jvm.DUBBO_278,
                Jvm.DUBBO_27,
                Jvm.DUBBO_31,
                Jvm.DUBBO_32,
                Jvm.DUBBO);
    }

    @ParameterizedTest
    @MethodSource("versions")
    void aServiceIsCalledByThePathThatTheAgentIsTold(Jvm version) throws Exception {
        Mesh mesh = Mesh.named("ExportedPathTest-" + version);
        try {
            String registry = "file:" + mesh.directory().resolve("registry");
            Dubbo provider = mesh.provider(
                    version,
                    "provider",
                    Map.of("path", "hello", "contextpath", "demo", "delay.ms", "0", "serialization", "hessian2"));
            Agent providerAgent = mesh.providerAgent(
                    "provider-agent",
                    provider.port(),
                    registry,
                    Map.of("dubbo.services", Form.SERVICE + "=demo/hello"));
            provider.awaitListening();
            providerAgent.awaitReady();

            providerAgent.assertHashByLink("hello");
        } finally {
            mesh.end();
        }
    }
}
