package io.dubbomesh.acceptance.document;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Bounds three measures of structure, and prints their largest values: the classes of a cycle, the source files of a
 * package, and the boolean fields of a class that change after construction, which are states without names.
 */
class StructureTest {
    private static final int MAX_CLASSES_OF_A_CYCLE = 4;
    private static final int MAX_FILES_OF_A_PACKAGE = 20;
    private static final int MAX_CHANGING_BOOLEANS = 3;
    private static final int PRINTED = 10;
    private static final String BASE = "io.dubbomesh.";

    /** The class files of all modules that have been built. */
    private static final Collection<JavaClass> CLASSES = readClasses();

    /**
     * Classes that are measured together. The services of demo/ are in neither part: their packages are what clients
     * name, and belong to what is called.
     */
    enum Part {
        PRODUCT,
        HARNESS;

        private static final Set<String> HARNESS_PACKAGES =
                Set.of("benchmark", "micro", "chaos", "testsupport", "acceptance");
        private static final Set<String> OUTSIDE = Set.of("demo", "contest");

        boolean contains(String name) {
            String first = name.split("\\.")[0];
            return !OUTSIDE.contains(first) && HARNESS_PACKAGES.contains(first) == (this == HARNESS);
        }
    }

    /** Returns the directories of that name in the modules, and in acceptance, which has only tests, those of tests. */
    private static List<Path> directories(String ofModules, String ofAcceptance) {
        return SourceTree.modules().stream()
                .filter(module -> !module.endsWith("races"))
                .map(module -> module.resolve(module.endsWith("acceptance") ? ofAcceptance : ofModules))
                .filter(Files::isDirectory)
                .toList();
    }

    private static Collection<JavaClass> readClasses() {
        return new ClassFileImporter()
                .importPaths(directories("target/classes", "target/test-classes")).stream()
                        .filter(each -> each.getPackageName().startsWith(BASE))
                        .toList();
    }

    private static List<JavaClass> classes(Part part) {
        return CLASSES.stream()
                .filter(each -> part.contains(each.getPackageName().substring(BASE.length())))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void cyclesOfClassesAreSmall(Part part) {
        Map<String, Set<String>> references = new TreeMap<>();
        for (JavaClass each : classes(part)) {
            Set<String> targets = references.computeIfAbsent(topLevel(each), name -> new TreeSet<>());
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                targets.add(topLevel(dependency.getTargetClass().getBaseComponentType()));
            }
        }
        List<List<String>> cycles = new Cycles(references).find();

        print("Cycles of classes", part, cycles.stream().map(cycle -> cycle.size() + " " + String.join(", ", cycle)));
        assertThat(cycles).allSatisfy(cycle -> assertThat(cycle).hasSizeLessThanOrEqualTo(MAX_CLASSES_OF_A_CYCLE));
    }

    @ParameterizedTest
    @EnumSource
    void packagesAreSmall(Part part) throws IOException {
        Map<String, Integer> sizes = new HashMap<>();
        for (Path sources : directories("src/main/java", "src/test/java")) {
            try (Stream<Path> files = Files.walk(sources.resolve(BASE.replace('.', '/')))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(file -> {
                    Path below = sources.resolve(BASE.replace('.', '/')).relativize(file.getParent());
                    sizes.merge(below.toString().replace('/', '.'), 1, Integer::sum);
                });
            }
        }
        sizes.keySet().removeIf(name -> !part.contains(name));

        check("Source files of packages", part, sizes, MAX_FILES_OF_A_PACKAGE);
    }

    @ParameterizedTest
    @EnumSource
    void classesHaveFewBooleansThatChange(Part part) {
        Map<String, Integer> booleans = new HashMap<>();
        for (JavaClass each : classes(part)) {
            int changing = (int)
                    each.getFields().stream().filter(StructureTest::changes).count();
            booleans.put(each.getName().substring(BASE.length()), changing);
        }

        check("Booleans that change", part, booleans, MAX_CHANGING_BOOLEANS);
    }

    private static boolean changes(JavaField field) {
        if (field.getModifiers().contains(JavaModifier.STATIC)) {
            return false;
        }
        JavaClass type = field.getRawType();
        return type.isEquivalentTo(AtomicBoolean.class)
                || (type.isEquivalentTo(boolean.class) || type.isEquivalentTo(Boolean.class))
                        && !field.getModifiers().contains(JavaModifier.FINAL);
    }

    private static void check(String title, Part part, Map<String, Integer> values, int limit) {
        print(
                title,
                part,
                values.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                        .filter(entry -> entry.getValue() > 1)
                        .map(entry -> entry.getValue() + " " + entry.getKey()));
        Map<String, Integer> large = new TreeMap<>(values);
        large.values().removeIf(value -> value <= limit);
        assertThat(large).as("%s above %d", title, limit).isEmpty();
    }

    private static void print(String title, Part part, Stream<String> lines) {
        System.out.println(title + ", " + part + ":");
        lines.limit(PRINTED).forEach(line -> System.out.println("  " + line));
    }

    private static String topLevel(JavaClass each) {
        JavaClass outer = each;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        String name = outer.getName();
        return name.startsWith(BASE) ? name.substring(BASE.length()) : name;
    }

    /** Finds the strongly connected components of a graph of names, by Tarjan's algorithm. */
    private static final class Cycles {
        private final Map<String, Set<String>> references;
        private final Map<String, Integer> indexes = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final List<List<String>> found = new ArrayList<>();

        Cycles(Map<String, Set<String>> references) {
            this.references = references;
        }

        /** Returns those of at least two names, largest first, each sorted. */
        List<List<String>> find() {
            for (String name : references.keySet()) {
                if (!indexes.containsKey(name)) {
                    visit(name);
                }
            }
            found.sort(
                    Comparator.comparing((List<String> cycle) -> cycle.size()).reversed());
            return found;
        }

        private void visit(String name) {
            indexes.put(name, indexes.size());
            lowest.put(name, indexes.get(name));
            open.push(name);
            for (String target : references.get(name)) {
                if (!references.containsKey(target)) {
                    continue;
                }
                if (!indexes.containsKey(target)) {
                    visit(target);
                    lowest.merge(name, lowest.get(target), Math::min);
                } else if (open.contains(target)) {
                    lowest.merge(name, indexes.get(target), Math::min);
                }
            }
            if (lowest.get(name).equals(indexes.get(name))) {
                List<String> cycle = new ArrayList<>();
                String member;
                do {
                    member = open.pop();
                    cycle.add(member);
                } while (!member.equals(name));
                if (cycle.size() > 1) {
                    cycle.sort(Comparator.naturalOrder());
                    found.add(cycle);
                }
            }
        }
    }
}
