package io.dubbomesh.protocol.type;

import io.dubbomesh.protocol.definition.TypeDefinition;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

class JavaTypesTest {
    /** What is known of a type is kept by the type, and values name classes: each name must stand for one type. */
    @Test
    void aClassOrEnumIsTheSameTypeHoweverOftenValuesNameIt() {
        JavaTypes types = new JavaTypes(Map.of(
                "a.Item", new TypeDefinition("a.Item", List.of(), Map.of("colour", "a.Colour")),
                "a.Colour", new TypeDefinition("a.Colour", List.of("RED"), Map.of())));

        for (String name : List.of("a.Item", "a.Colour")) {
            assertThat(types.definedClass(name)).as(name).isSameAs(types.definedClass(name));
        }
        assertThat(types.definedClass("a.Item").fields().get("colour")).isSameAs(types.definedClass("a.Colour"));
    }
}
