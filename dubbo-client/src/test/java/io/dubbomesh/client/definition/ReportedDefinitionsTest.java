package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

class ReportedDefinitionsTest {
    private static final ServiceKey GREETER = new ServiceKey("a.Greeter", "1.0", "g");
    private static final String JSON =
            "{\"canonicalName\":\"a.Greeter\",\"codeSource\":\"greeter.jar\",\"methods\":[{\"name\":\"greet\",\"parameterTypes\":[],"
                    + "\"returnType\":\"int\"}],\"parameters\":{\"token\":\"s3cret\"},\"types\":[]}";
    private static final ServiceDefinition DEFINITION = new ServiceDefinition(
            List.of(new MethodDefinition("greet", List.of(), "int")), Map.of(), DefinitionSource.METADATA_REPORT);

    @TempDir
    private Path directory;

    private final List<ReportedService> asked = new ArrayList<>();
    private String answer;
    private boolean isAway;

    private final MetadataReport report = (service, timeoutMs) -> {
        asked.add(service);
        if (isAway) {
            throw new IOException("connection refused");
        }
        return answer;
    };

    private static ReportedDefinitions.Found find(ReportedDefinitions reports) {
        return find(reports, "r1");
    }

    private static ReportedDefinitions.Found find(ReportedDefinitions reports, String revision) {
        return reports.find(GREETER, "demo", revision, System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
    }

    private ReportedDefinitions withCache() {
        return new ReportedDefinitions(List.of(report), new DefinitionCache(directory));
    }

    @Test
    void aReportIsReadForTheServiceInItsVersionAndGroupOfTheApplication() {
        answer = JSON;

        ReportedDefinitions.Found found = find(new ReportedDefinitions(List.of(report), null));

        assertThat(found).isEqualTo(new ReportedDefinitions.Found(DEFINITION, true));
        assertThat(asked).containsExactly(new ReportedService("a.Greeter", new Variant("1.0", "g"), "demo"));
    }

    @Test
    void oneThatIsNotThereMayComeLater() {
        assertThat(find(new ReportedDefinitions(List.of(report), null)))
                .isEqualTo(new ReportedDefinitions.Found(null, false));
        assertThat(find(ReportedDefinitions.NONE)).isEqualTo(new ReportedDefinitions.Found(null, true));
    }

    @Test
    void theCacheIsUsedWhileTheRegistryIsAwayAndOnlyForThatRevision() {
        answer = JSON;
        find(withCache());
        isAway = true;

        assertThat(find(withCache())).isEqualTo(new ReportedDefinitions.Found(DEFINITION, false));
        assertThat(find(withCache(), "r2").definition()).isNull();
    }

    @Test
    void theCacheIsNotUsedWhereTheRegistrySaysThatThereIsNoReport() {
        answer = JSON;
        find(withCache());
        answer = null;

        assertThat(find(withCache()).definition()).isNull();
    }

    @Test
    void noTokenIsWrittenToTheDisk() throws Exception {
        answer = JSON;
        find(withCache());

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.toList())
                    .singleElement()
                    .satisfies(file -> assertThat(Files.readString(file))
                            .contains("greet")
                            .doesNotContain("s3cret", "parameters\"", "greeter.jar"));
        }
    }

    @Test
    void aMalformedReportIsNotUsedAndNotCached() throws Exception {
        answer = JSON.substring(0, JSON.length() - 1);

        assertThat(find(withCache())).isEqualTo(new ReportedDefinitions.Found(null, true));
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void theFirstRegistryThatHasAReportCounts() {
        MetadataReport empty = (service, timeoutMs) -> null;
        MetadataReport away = (service, timeoutMs) -> {
            throw new IOException("connection refused");
        };
        answer = JSON;

        assertThat(find(new ReportedDefinitions(List.of(away, empty, report), null)))
                .isEqualTo(new ReportedDefinitions.Found(DEFINITION, true));
    }

    @Test
    void nobodyIsAskedAfterTheDeadline() {
        answer = JSON;
        ReportedDefinitions reports = new ReportedDefinitions(List.of(report), null);

        assertThat(reports.find(GREETER, "", "", System.nanoTime() - 1).definition())
                .isNull();
        assertThat(asked).isEmpty();
    }
}
