package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

import java.util.function.Consumer;

/**
 * An export request of OTLP 1 as protobuf: of all signals alike, but for the items.
 * <pre>
 *   ExportRequest          1 ResourceItems
 *   ResourceItems          1 Resource, 2 ScopeItems
 *   Resource               1 KeyValue ...
 *   ScopeItems             1 InstrumentationScope, 2 item ...
 *   InstrumentationScope   1 name
 *   KeyValue               1 key, 2 AnyValue
 *   AnyValue               1 text, 3 whole number
 * </pre>
 * Reused by one thread. A request is written from its end, see {@link ProtobufBuffer}.
 */
public final class ExportRequest {
    /** The number of an item's field. */
    public static final int ITEM = 2;

    private static final int INITIAL_CAPACITY = 16 * 1024;
    private static final String SCOPE = "io.dubbomesh";

    private final ProtobufBuffer out = new ProtobufBuffer(INITIAL_CAPACITY);
    private final String service;
    private final String instance;

    /** @param instance tells the agents of one service apart */
    public ExportRequest(String service, String instance) {
        this.service = service;
        this.instance = instance;
    }

    /**
     * Writes a request.
     *
     * @param items writes each item as a message of the field {@link #ITEM}, the last one first
     * @return valid until the next call
     */
    public ProtobufBuffer write(Consumer<ProtobufBuffer> items) {
        out.clear();
        int all = out.end();
        int ofScope = out.end();
        items.accept(out);
        int scope = out.end();
        out.textField(1, SCOPE);
        out.message(1, scope);
        out.message(2, ofScope);
        int resource = out.end();
        attribute(out, 1, "service.instance.id", instance);
        attribute(out, 1, "service.name", service);
        out.message(1, resource);
        out.message(1, all);
        return out;
    }

    /**
     * Writes a KeyValue.
     *
     * @param value a Long or a text
     */
    public static void attribute(ProtobufBuffer out, int field, String key, Object value) {
        int end = out.end();
        int any = out.end();
        if (value instanceof Long number) {
            out.varintField(3, number);
        } else {
            out.textField(1, (String) value);
        }
        out.message(2, any);
        out.textField(1, key);
        out.message(field, end);
    }
}
