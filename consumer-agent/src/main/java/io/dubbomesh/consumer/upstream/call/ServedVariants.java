package io.dubbomesh.consumer.upstream.call;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;

/** Adds the versions and groups on offer to the description of a service: its provider knows only its own. */
final class ServedVariants {
    private static final JsonFactory JSON = new JsonFactory();

    private ServedVariants() {}

    /**
     * Returns the content with a last member {@code served}, if it is an object and the registry tells the variants.
     *
     * @return a buffer of the heap, which needs no release; null if there is nothing to add
     */
    static ByteBuf addTo(ByteBuf in, int offset, int length, List<Endpoint> endpoints) {
        Collection<Variant> served = Variant.of(endpoints);
        if (served.isEmpty() || length < 3 || in.getByte(offset + length - 1) != '}') {
            return null;
        }
        ByteBuf out = Unpooled.buffer(length + 64).writeBytes(in, offset, length - 1);
        out.writeCharSequence(",\"served\":", StandardCharsets.US_ASCII);
        try (OutputStream bytes = new ByteBufOutputStream(out);
                JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartArray();
            for (Variant variant : served) {
                json.writeStartObject();
                json.writeStringField("version", variant.version());
                json.writeStringField("group", variant.group());
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.writeByte('}');
    }
}
