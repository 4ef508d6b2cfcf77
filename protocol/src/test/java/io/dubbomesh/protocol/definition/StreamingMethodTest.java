package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.definition.MethodDefinition.Streaming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class StreamingMethodTest {
    private static final String OBSERVER = "org.apache.dubbo.common.stream.StreamObserver";

    /** Returns the method as a service definition has it. */
    private static MethodDefinition defined(String returnType, String... parameterTypes) {
        MethodDefinition method = new MethodDefinition("m", List.of(parameterTypes), returnType);
        return new ServiceDefinition(List.of(method), Map.of()).methods().get(0);
    }

    @Test
    void anObserverBehindTheArgumentIsAStreamOfItsMessages() {
        MethodDefinition method = defined("void", "com.example.Query", OBSERVER + "<java.util.List<com.example.Item>>");
        assertThat(method.streaming()).isEqualTo(Streaming.SERVER);
        assertThat(method.parameterTypes()).containsExactly("com.example.Query");
        assertThat(method.erasedTypes()).containsExactly("com.example.Query");
        assertThat(method.messageType()).isEqualTo("java.util.List<com.example.Item>");
        assertThat(method.signature()).isEqualTo("m(com.example.Query)");
    }

    @Test
    void aMethodOfAnObserverAloneTakesNoArguments() {
        MethodDefinition method = defined("void", OBSERVER + "<java.lang.String>");
        assertThat(method.streaming()).isEqualTo(Streaming.SERVER);
        assertThat(method.parameterTypes()).isEmpty();
    }

    @Test
    void theMessagesOfARawObserverAreNotKnown() {
        MethodDefinition method = defined("void", "int", OBSERVER);
        assertThat(method.streaming()).isEqualTo(Streaming.SERVER);
        assertThat(method.messageType()).isEqualTo("java.lang.Object");
    }

    /** Decides as Dubbo does, which looks for observers among two parameters at most. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    void                | int                  | NONE
                    com.example.Item    | com.example.Query    | NONE
                    OBSERVER<A>         | OBSERVER<B>          | CLIENT
                    void                | OBSERVER<A>;int      | CLIENT
                    void                | int;int;OBSERVER<A>  | CLIENT
                    int                 | int;OBSERVER<A>      | CLIENT
                    """)
    void anyOtherMethodKeepsItsParameters(String returnType, String parameterTypes, Streaming expected) {
        String[] types = parameterTypes.replace("OBSERVER", OBSERVER).split(";");
        MethodDefinition method = defined(returnType.replace("OBSERVER", OBSERVER), types);
        assertThat(method.streaming()).isEqualTo(expected);
        assertThat(method.parameterTypes()).containsExactly(types);
    }

    @Test
    void theTypeOfAnOrdinaryResultIsThatOfItsOnlyMessage() {
        assertThat(defined("java.util.List<com.example.Item>").messageType())
                .isEqualTo("java.util.List<com.example.Item>");
    }

    /** The jar of Dubbo has observers whose fields are of thousands of classes. */
    @Test
    void ofAStreamTheMessagesAreDescribedAndTheObserversAreNot() throws Exception {
        CompiledSources classes = CompiledSources.compile(
                List.of(),
                "package org.apache.dubbo.common.stream; public interface StreamObserver<T> { void onNext(T item); }",
                """
                package a;
                class Forwarding implements org.apache.dubbo.common.stream.StreamObserver<String> {
                    Connection connection;
                    public void onNext(String item) {}
                }
                """,
                "package a; class Connection { int port; }",
                "package a; class Item { int id; }",
                """
                package a;
                import org.apache.dubbo.common.stream.StreamObserver;
                interface Shop {
                    void list(String query, StreamObserver<Item> items);
                    StreamObserver<String> search(StreamObserver<Item> items);
                }
                """);
        ServiceDefinition shop = ClassDefinitions.of("a.Shop", new ClassHierarchy(classes));
        assertThat(shop.types()).containsOnlyKeys("a.Item");
        assertThat(shop.methods().stream().map(MethodDefinition::streaming))
                .containsExactlyInAnyOrder(Streaming.SERVER, Streaming.CLIENT);
    }
}
