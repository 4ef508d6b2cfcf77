package io.dubbomesh.consumer.call;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class DescriptorsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "'' 0",
                "Ljava/lang/String;I[J[[Lx/Y;Z 5",
                "ZBCSIJFD 8",
                "LOuter$Inner; 1",
                "Ljava/util/List<Ljava/lang/Long;>; 1",
                "Ljava/util/Map<Ljava/lang/String;Ljava/util/List<[I>;>;I 2",
                "[Ljava/util/List<*>; 1",
                "Ljava/util/Map<+La/B;-[J>;[[I 2",
                "Lä/日本; 1"
            })
    void typesAreCountedWithTheirArguments(String text, int count) {
        assertThat(Descriptors.count(text)).isEqualTo(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?",
                "V",
                "L;",
                "Ljava/lang/String",
                "[",
                "I ",
                "int",
                "Lx;Q",
                "Ljava.lang.String;",
                "L/x;",
                "Lx/;",
                "Lx//y;",
                "L1;",
                "La b;",
                "Lx<>;",
                "Lx<",
                "Lx<*",
                "Lx<*>",
                "Lx<I>;",
                "Lx<+I>;",
                "Lx<+*>;",
                "Lx<*>y;",
                "Lx<Ly>;",
                "Lx<*>.Ly;",
                "*",
                "+Lx;"
            })
    void anythingElseIsMalformed(String text) {
        assertThat(Descriptors.count(text)).isEqualTo(Descriptors.MALFORMED);
    }

    @Test
    void argumentsMayBeNestedOnlySoDeep() {
        assertThat(Descriptors.count(nested(32))).isEqualTo(1);
        assertThat(Descriptors.count(nested(33))).isEqualTo(Descriptors.MALFORMED);
        assertThat(Descriptors.count("La<".repeat(1_000_000))).isEqualTo(Descriptors.MALFORMED);
    }

    private static String nested(int depth) {
        return "La<".repeat(depth) + "*" + ">;".repeat(depth);
    }
}
