package io.dubbomesh.acceptance;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/** Keeps the modules as docs/architecture.md draws them. */
class ArchitectureTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.dubbomesh");

    @Test
    void theProductWasFound() {
        for (String module : new String[] {
            "protocol", "loadbalance", "registry", "transport", "runtime", "consumer", "provider", "dist"
        }) {
            classes()
                    .that()
                    .resideInAPackage("io.dubbomesh." + module + "..")
                    .should()
                    .bePublic()
                    .orShould()
                    .notBePublic()
                    .check(PRODUCT);
        }
    }

    @Test
    void theAgentsDoNotKnowEachOther() {
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.consumer..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dubbomesh.provider..")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.provider..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dubbomesh.consumer..", "io.dubbomesh.loadbalance..")
                .check(PRODUCT);
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
                        "io.netty.buffer..",
                        "io.netty.util..",
                        "com.fasterxml.jackson.core..")
                .check(PRODUCT);
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.protocol..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.net..", "java.nio.channels..", "java.util.concurrent.locks..")
                .check(PRODUCT);
    }

    @Test
    void loadbalanceKnowsNothingElse() {
        classes()
                .that()
                .resideInAPackage("io.dubbomesh.loadbalance..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage("io.dubbomesh.loadbalance..", "java..")
                .check(PRODUCT);
    }

    @Test
    void registryKnowsOnlyRuntime() {
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.registry..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dubbomesh.protocol..", "io.dubbomesh.transport..", "io.dubbomesh.loadbalance..")
                .check(PRODUCT);
    }

    @Test
    void runtimeKnowsNoOtherModule() {
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.runtime..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dubbomesh.protocol..",
                        "io.dubbomesh.transport..",
                        "io.dubbomesh.registry..",
                        "io.dubbomesh.loadbalance..")
                .check(PRODUCT);
    }

    @Test
    void transportKnowsOnlyRuntimeAndProtocol() {
        noClasses()
                .that()
                .resideInAPackage("io.dubbomesh.transport..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.dubbomesh.registry..",
                        "io.dubbomesh.loadbalance..",
                        "io.dubbomesh.consumer..",
                        "io.dubbomesh.provider..")
                .check(PRODUCT);
    }

    @Test
    void noModuleDependsOnAnAgent() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "io.dubbomesh.protocol..",
                        "io.dubbomesh.loadbalance..",
                        "io.dubbomesh.registry..",
                        "io.dubbomesh.transport..",
                        "io.dubbomesh.runtime..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.dubbomesh.consumer..", "io.dubbomesh.provider..")
                .check(PRODUCT);
    }

    @Test
    void theOneJarOnlyStartsAgents() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.dubbomesh.dist..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.dubbomesh.dist..")
                .check(PRODUCT);
        classes()
                .that()
                .resideInAPackage("io.dubbomesh.dist..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.dubbomesh.dist..", "io.dubbomesh.consumer..", "io.dubbomesh.provider..", "java..")
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
