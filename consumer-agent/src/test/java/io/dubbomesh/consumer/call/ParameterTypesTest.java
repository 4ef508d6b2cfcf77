package io.dubbomesh.consumer.call;

import io.dubbomesh.protocol.CallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ParameterTypesTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "I", "ILjava/lang/String;[J", "Ljava/util/List<Ljava/lang/Long;>;Z", "Lx<*>;"})
    void descriptorsStayAsTheyAre(String text) throws CallException {
        assertThat(ParameterTypes.descriptor(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "int|I",
                "boolean,byte,char,short,int,long,float,double|ZBCSIJFD",
                "java.lang.String|Ljava/lang/String;",
                "int, java.lang.String[], com.example.Outer$Inner|I[Ljava/lang/String;Lcom/example/Outer$Inner;",
                "int[][],long...|[[I[J",
                "java.lang.String [ ] ... , int|[[Ljava/lang/String;I",
                "Foo|LFoo;",
                "java.util.List<java.lang.Long>|Ljava/util/List<Ljava/lang/Long;>;",
                "java.util.Map<java.lang.String,java.util.List<java.lang.Long>>,int"
                        + "|Ljava/util/Map<Ljava/lang/String;Ljava/util/List<Ljava/lang/Long;>;>;I",
                "java.util.List < java.lang.Long > []|[Ljava/util/List<Ljava/lang/Long;>;",
                "a.B<?>|La/B<*>;",
                "a.B< ? , int[]>|La/B<*[I>;",
                "a.B<? extends a.C>|La/B<+La/C;>;",
                "a.B<?  super  a.C[] , ? extends a.D<?>>|La/B<-[La/C;+La/D<*>;>;",
                "a.extends<a.super>|La/extends<La/super;>;"
            })
    void namesOfJavaSourceBecomeDescriptors(String names, String descriptor) throws CallException {
        assertThat(ParameterTypes.descriptor(names)).isEqualTo(descriptor);
        assertThat(Descriptors.count(descriptor)).isNotEqualTo(Descriptors.MALFORMED);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " ",
                ",",
                "int,",
                ",int",
                "int,,long",
                "int long",
                "void",
                "void[]",
                "java.lang.",
                ".java",
                "java..lang",
                "java/lang/String",
                "java.lang.String;",
                "1a",
                "a-b",
                "int[",
                "int]",
                "int[3]",
                "int..",
                "a.B<",
                "a.B<>",
                "a.B<int>",
                "a.B<a.C",
                "a.B<a.C>>",
                "a.B<a.C>a.D",
                "a.B<a.C>.D",
                "a.B<? extends>",
                "a.B<? extends int>",
                "a.B<? a.C>",
                "a.B<?>?",
                "?",
                "int<a.B>",
                "Ljava/lang/String",
                "I,Ljava/lang/String;"
            })
    void anythingElseIsRefusedWithItsValueAndWhatWasExpected(String text) {
        assertThatThrownBy(() -> ParameterTypes.descriptor(text))
                .isInstanceOf(CallException.class)
                .hasMessage("X-Dubbo-Parameter-Types: \"" + text + "\" (expected: Java types such as"
                        + " int,java.lang.String[],java.util.List<java.lang.Long>, or JVM descriptors such as"
                        + " ILjava/lang/String;)");
    }

    @Test
    void dimensionsAndDepthHaveTheirBounds() throws CallException {
        assertThat(ParameterTypes.descriptor("int" + "[]".repeat(255))).isEqualTo("[".repeat(255) + "I");
        assertThatThrownBy(() -> ParameterTypes.descriptor("int" + "[]".repeat(256)))
                .hasMessageStartingWith("X-Dubbo-Parameter-Types: \"int[][]");
        assertThat(ParameterTypes.descriptor("a<".repeat(32) + "?" + ">".repeat(32)))
                .isEqualTo("La<".repeat(32) + "*" + ">;".repeat(32));
        assertThatThrownBy(() -> ParameterTypes.descriptor("a<".repeat(33) + "?" + ">".repeat(33)))
                .hasMessageContaining("<?>>");
        assertThatThrownBy(() -> ParameterTypes.descriptor("a<".repeat(1_000_000)))
                .hasMessageContaining("...\" (expected: ");
    }
}
