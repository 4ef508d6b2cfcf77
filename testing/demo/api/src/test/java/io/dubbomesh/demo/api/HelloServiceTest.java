package io.dubbomesh.demo.api;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

class HelloServiceTest {

    @Test
    void theHashIsThatOfJava() throws Exception {
        try (HelloService service = new HelloService(0, null)) {
            assertThat(service.hash("hello")).isEqualTo(99162322);
            assertThat(service.hash("")).isZero();
        }
    }

    @Test
    void everyCallHasALineInTheFileEvenAfterARestart(@TempDir Path directory) throws Exception {
        Path calls = directory.resolve("calls");
        try (HelloService service = new HelloService(0, calls)) {
            service.hash("hello");
            service.hash("");
        }
        try (HelloService service = new HelloService(0, calls)) {
            service.hash("a");
        }
        assertThat(Files.readAllLines(calls)).containsExactly("99162322", "0", "97");
    }

    /** Dubbo interrupts its threads while it ends, and goes on serving calls with others. */
    @Test
    void anInterruptedCallIsAnsweredAndLeavesTheFileOpenForOthers(@TempDir Path directory) throws Exception {
        Path calls = directory.resolve("calls");
        try (HelloService service = new HelloService(5, calls)) {
            Thread.currentThread().interrupt();
            assertThat(service.hash("hello")).isEqualTo(99162322);
            assertThat(Thread.interrupted()).isTrue();

            assertThat(service.hash("a")).isEqualTo(97);
        }
        assertThat(Files.readAllLines(calls)).containsExactly("99162322", "97");
    }

    @Test
    void aCallTakesTheDelay() throws Exception {
        try (HelloService service = new HelloService(20, null)) {
            long start = System.nanoTime();
            service.hash("hello");
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(20_000_000L);
        }
    }
}
