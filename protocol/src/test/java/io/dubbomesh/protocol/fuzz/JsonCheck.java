package io.dubbomesh.protocol.fuzz;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

import java.io.IOException;

/** Whether what was written is one JSON value. */
final class JsonCheck {
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxNestingDepth(2000)
                    .build())
            .build();

    private JsonCheck() {}

    static void requireJson(ByteBuf out, int offset) {
        byte[] bytes = ByteBufUtil.getBytes(out, offset, out.writerIndex() - offset);
        try (JsonParser json = JSON.createParser(bytes)) {
            if (json.nextToken() == null) {
                throw new AssertionError("no value");
            }
            json.skipChildren();
            json.finishToken();
            if (json.nextToken() != null) {
                throw new AssertionError("more than one value");
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
