package io.dubbomesh.protocol.type;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class JsonShapeTest {
    private static List<JsonShape> read(String arguments) throws Exception {
        ByteBuf in = Unpooled.copiedBuffer(arguments, UTF_8);
        return Arguments.jsonShapes(in, 0, in.readableBytes());
    }

    @Test
    void anArrayHasEachShapeOfItsElementsOnce() throws Exception {
        assertThat(read("[[1,2,\"a\",\"b\",{\"class\":\"a.B\"},{\"class\":\"a.B\",\"x\":[1]},[true],[true]]]"))
                .containsExactly(new JsonShape(
                        JsonShape.Form.ARRAY,
                        null,
                        Set.of(
                                new JsonShape(JsonShape.Form.INT),
                                JsonShape.TEXT,
                                new JsonShape(JsonShape.Form.OBJECT, "a.B", Set.of()),
                                new JsonShape(
                                        JsonShape.Form.ARRAY, null, Set.of(new JsonShape(JsonShape.Form.BOOLEAN))))));
    }

    /** Each level would compare all below it, for an array of a megabyte for seconds. */
    @Test
    void manyShapesAndDeepArraysAreToldInPart() throws Exception {
        String objects = IntStream.range(0, 100)
                .mapToObj(i -> "{\"class\":\"a.B" + i + "\"}")
                .collect(Collectors.joining(",", "[", ",1]"));
        List<JsonShape> shapes = read("[" + objects + "," + "[".repeat(200) + "]".repeat(200) + ",5]");

        assertThat(shapes).hasSize(3);
        assertThat(shapes.get(0).elements()).hasSize(16);
        assertThat(depth(shapes.get(1))).isEqualTo(4);
        assertThat(shapes.get(2).form()).isEqualTo(JsonShape.Form.INT);
    }

    private static int depth(JsonShape shape) {
        return 1
                + shape.elements().stream().mapToInt(JsonShapeTest::depth).max().orElse(0);
    }
}
