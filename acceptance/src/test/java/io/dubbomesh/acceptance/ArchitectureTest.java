package io.dubbomesh.acceptance;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** Holds the packages to the table in docs/architecture.md: what each may use stands there and nowhere else. */
class ArchitectureTest {
    private static final String BASE = "io.dubbomesh.";
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern NAME = Pattern.compile("`([a-z.]+)`");
    /** Folders below the base package that are tools and tests, not the product. */
    private static final List<String> TOOLS =
            List.of("demo", "benchmark", "micro", "contest", "testsupport", "acceptance");

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dubbomesh");

    private static final Map<String, List<String>> TABLE = readTable();

    private static Map<String, List<String>> readTable() {
        Map<String, List<String>> table = new LinkedHashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of("..", "docs", "architecture.md"))) {
                Matcher row = ROW.matcher(line);
                if (row.matches()) {
                    List<String> used = new ArrayList<>();
                    NAME.matcher(row.group(2)).results().forEach(name -> used.add(name.group(1)));
                    table.put(row.group(1), used);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return table;
    }

    static Stream<String> packagesOfTheTable() {
        return TABLE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("packagesOfTheTable")
    void aPackageUsesOnlyThoseThatItsRowNames(String name) {
        List<String> allowed = new ArrayList<>(TABLE.get(name));
        allowed.add(name);
        noClasses()
                .that()
                .resideInAPackage(BASE + name)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("io.dubbomesh..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(
                                allowed.stream().map(each -> BASE + each).toArray(String[]::new))))
                .check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("packagesOfTheTable")
    void aRowNamesOnlyPackagesAboveIt(String name) {
        List<String> names = new ArrayList<>(TABLE.keySet());
        assertThat(TABLE.get(name)).isSubsetOf(names.subList(0, names.indexOf(name)));
    }

    @Test
    void everyPackageOfTheProductHasARow() {
        List<String> found = PRODUCT.stream()
                .map(each -> each.getPackageName().substring(BASE.length()))
                .filter(name -> !TOOLS.contains(name.split("\\.")[0]))
                .distinct()
                .toList();
        assertThat(found).containsExactlyInAnyOrderElementsOf(TABLE.keySet());
    }

    @Test
    void noPackageIsSplitOverModules() {
        Map<String, Set<String>> modules = new TreeMap<>();
        for (JavaClass each : PRODUCT) {
            String uri = each.getSource().orElseThrow().getUri().toString();
            String module = uri.substring(0, uri.indexOf("/io/dubbomesh/"));
            modules.computeIfAbsent(each.getPackageName(), name -> new TreeSet<>())
                    .add(module);
        }
        assertThat(modules).allSatisfy((name, places) -> assertThat(places).hasSize(1));
    }

    @Test
    void protocolKnowsBytesOnly() {
        classes()
                .that()
                .resideInAPackage("io.dubbomesh.protocol..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.dubbomesh.protocol..",
                        "java..",
                        "javax.crypto..",
                        "io.netty.buffer..",
                        "io.netty.util..",
                        "com.fasterxml.jackson.core..")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.protocol..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent.locks..")
                                // The text of one is checked; it opens nothing.
                                .and(not(belongToAnyOf(URI.class, URISyntaxException.class))))
                .check(PRODUCT);
    }

    @Test
    void theHttpCodecNeedsNoChannel() {
        noClasses()
                .that()
                .resideInAnyPackage("io.dubbomesh.consumer.text", "io.dubbomesh.consumer.http")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.channel..", "io.netty.handler..")
                .check(PRODUCT);
    }

    @Test
    void loadbalanceNeedsOnlyTheJdk() {
        classes()
                .that()
                .resideInAPackage("io.dubbomesh.loadbalance..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.dubbomesh.loadbalance..", "java..")
                .check(PRODUCT);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.dubbomesh.(**)").should().beFreeOfCycles().check(PRODUCT);
    }

    @Test
    void onlyTheEdgeReadsSystemProperties() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.dubbomesh.runtime..", "io.dubbomesh.dist..")
                .should()
                .callMethod(System.class, "getProperty", String.class)
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .check(PRODUCT);
    }
}
