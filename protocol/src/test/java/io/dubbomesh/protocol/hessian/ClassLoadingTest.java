package io.dubbomesh.protocol.hessian;

import io.dubbomesh.testsupport.process.CompletedProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** Names of classes in values are text and nothing else: the JVM's own log says which classes it loads. */
@Timeout(60)
class ClassLoadingTest {
    /** All could be loaded: of the JDK, of libraries on this class path, of its own classes. */
    private static final List<String> NAMES = List.of(
            "javax.script.ScriptEngineManager",
            "java.rmi.server.UnicastRemoteObject",
            "java.beans.EventHandler",
            "java.util.logging.FileHandler",
            "com.alibaba.com.caucho.hessian.io.Hessian2Input",
            "com.alibaba.fastjson2.JSONObject",
            "org.assertj.core.api.Assertions",
            "io.dubbomesh.protocol.hessian.NeverLoaded",
            "io.dubbomesh.protocol.hessian.NeverLoaded$Constant");

    @Test
    void aClassThatAValueNamesIsNotLoaded() throws Exception {
        for (String name : NAMES) {
            assertThat(Class.forName(name, false, getClass().getClassLoader())).isNotNull();
        }
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:off",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:stdout:none",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                DecodesClassNames.class.getName()));
        command.addAll(NAMES);
        String output = CompletedProcess.run(command).requireSuccess();

        List<String> read =
                output.lines().filter(line -> !line.contains(" source: ")).toList();
        assertThat(read).hasSize(6 * NAMES.size());
        for (String name : NAMES) {
            assertThat(read).filteredOn(line -> line.contains(name)).hasSizeGreaterThanOrEqualTo(3);
        }
        assertThat(read)
                .allMatch(line -> line.startsWith("OK ")
                        || line.startsWith("SERVICE_EXCEPTION ")
                        || line.startsWith("{")
                        || line.contains("whose fields are not its value"));
        List<String> loaded = output.lines()
                .filter(line -> line.contains(" source: "))
                .map(line -> line.substring(0, line.indexOf(' ')))
                .toList();
        assertThat(loaded)
                .contains(HessianReader.class.getName(), "io.dubbomesh.protocol.jsonb.JsonbReader")
                .doesNotContainAnyElementsOf(NAMES);
    }
}
