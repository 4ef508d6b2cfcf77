package io.dubbomesh.acceptance.document;

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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

/** Holds the packages to the tables of docs/understand/architecture.md, which alone say what each may use. */
class ArchitectureTest {
    private static final String BASE = "io.dubbomesh.";
    private static final Pattern LAYER = Pattern.compile("\\| [A-Za-z, ]+ \\| (`[a-z]+`: .+) \\|");
    private static final Pattern ROW = Pattern.compile("\\| `([a-z.]+)` \\| (\\d+) \\| [^|]+ \\| ([^|]+) \\|");
    private static final Pattern NAME = Pattern.compile("`([a-z]+)`");
    /** Folders below the base package that are tools and tests, not the product. */
    private static final List<String> TOOLS =
            List.of("demo", "benchmark", "micro", "contest", "testsupport", "acceptance");

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dubbomesh");

    /** Sets of rooms, the highest first. */
    private static final List<Set<String>> LAYERS =
            lines(LAYER).map(layer -> names(layer.group(1))).toList();

    private static final Map<String, Row> TABLE = readTable();

    /** A package: its room is the first part of its name. */
    private record Row(String name, int step, Set<String> rooms) {
        private String room() {
            return name.split("\\.")[0];
        }

        private boolean mayUse(Row other) {
            return room().equals(other.room()) ? step > other.step || equals(other) : rooms.contains(other.room());
        }
    }

    private static Stream<MatchResult> lines(Pattern pattern) {
        try {
            return Files.readAllLines(Path.of("../..", "docs", "understand", "architecture.md")).stream()
                    .map(pattern::matcher)
                    .filter(Matcher::matches)
                    .map(Matcher::toMatchResult);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Set<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Map<String, Row> readTable() {
        Map<String, Row> table = new LinkedHashMap<>();
        lines(ROW)
                .map(row -> new Row(row.group(1), Integer.parseInt(row.group(2)), names(row.group(3))))
                .forEach(row -> table.put(row.name, row));
        return table;
    }

    private static int layer(String room) {
        return LAYERS.indexOf(LAYERS.stream()
                .filter(rooms -> rooms.contains(room))
                .findFirst()
                .orElseThrow(() -> new AssertionError(room + " is in no layer")));
    }

    static Stream<String> packagesOfTheTable() {
        return TABLE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("packagesOfTheTable")
    void aPackageUsesLowerStepsOfItsRoomAndTheRoomsOfItsRow(String name) {
        String[] allowed = TABLE.values().stream()
                .filter(TABLE.get(name)::mayUse)
                .map(row -> BASE + row.name)
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage(BASE + name)
                .should()
                .dependOnClassesThat(JavaClass.Predicates.resideInAPackage("io.dubbomesh..")
                        .and(JavaClass.Predicates.resideOutsideOfPackages(allowed)))
                .check(PRODUCT);
    }

    @ParameterizedTest
    @MethodSource("packagesOfTheTable")
    void aRowHasTheRoomsOfLowerLayersThatThePackageUses(String name) {
        Row row = TABLE.get(name);
        Set<String> used = new TreeSet<>();
        for (JavaClass each : PRODUCT.that(JavaClass.Predicates.resideInAPackage(BASE + name))) {
            each.getDirectDependenciesFromSelf().stream()
                    .map(dependency ->
                            dependency.getTargetClass().getBaseComponentType().getPackageName())
                    .filter(target -> target.startsWith(BASE))
                    .map(target -> target.substring(BASE.length()).split("\\.")[0])
                    .filter(room -> !room.equals(row.room()))
                    .forEach(used::add);
        }
        assertThat(row.rooms).isEqualTo(used);
        assertThat(row.rooms).allMatch(room -> layer(room) > layer(row.room()));
    }

    @Test
    void rowsOfARoomStandByTheirSteps() {
        Map<String, List<Integer>> steps = new TreeMap<>();
        TABLE.values()
                .forEach(row -> steps.computeIfAbsent(row.room(), room -> new ArrayList<>())
                        .add(row.step));
        assertThat(steps.values()).allSatisfy(each -> assertThat(each).isSortedAccordingTo(Comparator.reverseOrder()));
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
                .resideInAnyPackage("io.dubbomesh.consumer.text", "io.dubbomesh.consumer.http..")
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
                .resideOutsideOfPackages("io.dubbomesh.runtime..", "io.dubbomesh.dist..", "io.dubbomesh.testsupport..")
                .should()
                .callMethod(System.class, "getProperty", String.class)
                .orShould()
                .callMethod(System.class, "getenv", String.class)
                .check(PRODUCT);
    }
}
