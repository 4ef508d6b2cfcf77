package io.dubbomesh.runtime.tracing;

import java.util.List;

/**
 * An ExportTraceServiceRequest of OTLP 1 as protobuf.
 * <pre>
 *   ExportTraceServiceRequest   1 ResourceSpans
 *   ResourceSpans               1 Resource, 2 ScopeSpans
 *   Resource                    1 KeyValue ...
 *   ScopeSpans                  1 InstrumentationScope, 2 Span ...
 *   InstrumentationScope        1 name
 *   Span                        1 trace id, 2 span id, 4 id of the parent, 5 name, 6 kind,
 *                               7 start and 8 end (ns since 1970), 9 KeyValue ..., 15 Status, 16 flags
 *   KeyValue                    1 key, 2 AnyValue
 *   AnyValue                    1 text, 3 whole number
 *   Status                      3 code
 * </pre>
 * Reused by one thread. A batch is written from its end, see {@link ProtobufBuffer}.
 */
final class SpanDocument {
    private static final String SCOPE = "io.dubbomesh";
    private static final int KIND_SERVER = 2;
    private static final int KIND_CLIENT = 3;
    private static final int STATUS_ERROR = 2;
    /** Of the trace: sampled. */
    private static final int SAMPLED = 1;
    /** Whether the parent is in another process is known, and it is. */
    private static final int HAS_IS_REMOTE = 0x100;

    private static final int IS_REMOTE = 0x200;

    private final ProtobufBuffer out = new ProtobufBuffer();
    private final String service;
    private final String instance;

    /** @param instance tells the agents of one service apart */
    SpanDocument(String service, String instance) {
        this.service = service;
        this.instance = instance;
    }

    /**
     * Writes spans.
     *
     * @param offsetNs the nanoseconds since 1970 at the origin of {@link System#nanoTime}
     * @return valid until the next call
     */
    ProtobufBuffer of(List<RecordedSpan> spans, long offsetNs) {
        out.clear();
        int all = out.end();
        int ofScope = out.end();
        for (int i = spans.size() - 1; i >= 0; i--) {
            span(spans.get(i), offsetNs);
        }
        int scope = out.end();
        out.textField(1, SCOPE);
        out.message(1, scope);
        out.message(2, ofScope);
        int resource = out.end();
        attribute(1, "service.instance.id", instance);
        attribute(1, "service.name", service);
        out.message(1, resource);
        out.message(1, all);
        return out;
    }

    private void span(RecordedSpan span, long offsetNs) {
        int end = out.end();
        out.fixed32Field(16, flags(span));
        if (span.failed) {
            int status = out.end();
            out.varintField(3, STATUS_ERROR);
            out.message(15, status);
        }
        for (int i = span.attributes.size() - 2; i >= 0; i -= 2) {
            attribute(9, (String) span.attributes.get(i), span.attributes.get(i + 1));
        }
        out.fixed64Field(8, span.endNs + offsetNs);
        out.fixed64Field(7, span.startNs + offsetNs);
        out.varintField(
                6,
                switch (span.kind) {
                    case SERVER -> KIND_SERVER;
                    case CLIENT -> KIND_CLIENT;
                });
        out.textField(5, span.name);
        if (span.parentId != 0) {
            out.bytesField(4, span.parentId);
        }
        out.bytesField(2, span.id);
        out.bytesField(1, span.traceIdHigh, span.traceIdLow);
        out.message(2, end);
    }

    private static int flags(RecordedSpan span) {
        boolean remote = span.kind == RecordedSpan.Kind.SERVER && span.parentId != 0;
        return SAMPLED | HAS_IS_REMOTE | (remote ? IS_REMOTE : 0);
    }

    private void attribute(int field, String key, Object value) {
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
