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

/**
 * Holds the packages to the table of docs/understand/architecture.md, which alone has the layers of the rooms and the
 * steps of their packages, and to {@code package.rooms}, which has the other rooms that each package uses.
 */
class ArchitectureTest {
    private static final String BASE = "io.dubbomesh.";
    private static final Path PAGE = Path.of("../..", "docs", "understand", "architecture.md");
    private static final Path USED_ROOMS = Path.of("src/test/resources/package.rooms");
    /** A room: its layer, its name, and its packages, the steps separated by &gt;, the highest first. */
    private static final Pattern ROOM = Pattern.compile("\\| (\\d) \\| `([a-z]+)` \\| [^|]+ \\| (`[^|]+) \\|");

    private static final Pattern USES = Pattern.compile("([a-z0-9.]+):((?: [a-z]+)*)");
    private static final Pattern NAME = Pattern.compile("`([a-z0-9.]+)`");
    /** Folders below the base package that are tools and tests, not the product. */
    private static final List<String> TOOLS =
            List.of("demo", "benchmark", "micro", "contest", "testsupport", "acceptance");

    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dubbomesh");

    /** The number of each room's layer; a higher one may use a lower one. */
    private static final Map<String, Integer> LAYERS =
            lines(PAGE, ROOM).collect(Collectors.toMap(room -> room.group(2), room -> Integer.parseInt(room.group(1))));

    private static final Map<String, Set<String>> USED =
            lines(USED_ROOMS, USES).collect(Collectors.toMap(uses -> uses.group(1), uses -> words(uses.group(2))));

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

    private static Stream<MatchResult> lines(Path file, Pattern pattern) {
        try {
            return Files.readAllLines(file).stream()
                    .map(pattern::matcher)
                    .filter(Matcher::matches)
                    .map(Matcher::toMatchResult);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, Row> readTable() {
        Map<String, Row> table = new LinkedHashMap<>();
        lines(PAGE, ROOM).forEach(room -> {
            String[] steps = room.group(3).split(" > ");
            for (int i = 0; i < steps.length; i++) {
                int step = steps.length - i;
                NAME.matcher(steps[i])
                        .results()
                        .map(name -> packageName(room.group(2), name.group(1)))
                        .forEach(name -> table.put(name, new Row(name, step, USED.getOrDefault(name, Set.of()))));
            }
        });
        return table;
    }

    private static Set<String> words(String text) {
        return Stream.of(text.strip().split(" "))
                .filter(word -> !word.isEmpty())
                .collect(Collectors.toSet());
    }

    /** @param name that of the room for the room's own package, else what follows it */
    private static String packageName(String room, String name) {
        return name.equals(room) ? room : room + "." + name;
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
    void theListHasTheRoomsOfLowerLayersThatThePackageUses(String name) {
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
        assertThat(row.rooms).allMatch(room -> LAYERS.get(room) < LAYERS.get(row.room()));
    }

    @Test
    void everyPackageSaysWhatItOwns() {
        List<String> sources = SourceTree.files().stream().map(Path::toString).toList();
        assertThat(TABLE.keySet()).allSatisfy(name -> {
            String file = "src/main/java/" + (BASE + name).replace('.', '/') + "/package-info.java";
            assertThat(sources).anyMatch(source -> source.endsWith(file));
        });
    }

    @Test
    void everyPackageOfTheProductIsInTheTable() {
        List<String> found = PRODUCT.stream()
                .map(each -> each.getPackageName().substring(BASE.length()))
                .filter(name -> !TOOLS.contains(name.split("\\.")[0]))
                .distinct()
                .toList();
        assertThat(found).containsExactlyInAnyOrderElementsOf(TABLE.keySet());
        assertThat(USED.keySet()).isEqualTo(TABLE.keySet());
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
