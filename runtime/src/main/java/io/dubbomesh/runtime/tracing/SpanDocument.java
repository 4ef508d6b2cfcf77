package io.dubbomesh.runtime.tracing;

import io.dubbomesh.runtime.otlp.ExportRequest;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

import java.util.List;

/**
 * Spans as items of an {@link ExportRequest}.
 * <pre>
 *   Span     1 trace id, 2 span id, 4 id of the parent, 5 name, 6 kind,
 *            7 start and 8 end (ns since 1970), 9 KeyValue ..., 15 Status, 16 flags
 *   Status   3 code
 * </pre>
 * Reused by one thread.
 */
final class SpanDocument {
    private static final int KIND_SERVER = 2;
    private static final int KIND_CLIENT = 3;
    private static final int STATUS_ERROR = 2;
    /** The flag of the trace that it is sampled. */
    private static final int SAMPLED = 1;
    /** Flags: it is known whether the parent is in another process, and it is. */
    private static final int HAS_IS_REMOTE = 0x100;

    private static final int IS_REMOTE = 0x200;

    private final ExportRequest request;

    SpanDocument(ExportRequest request) {
        this.request = request;
    }

    /**
     * Writes spans.
     *
     * @param offsetNs the nanoseconds since 1970 at the origin of {@link System#nanoTime}
     * @return valid until the next call
     */
    ProtobufBuffer write(List<RecordedSpan> spans, long offsetNs) {
        return request.write(out -> {
            for (int i = spans.size() - 1; i >= 0; i--) {
                write(out, spans.get(i), offsetNs);
            }
        });
    }

    private static void write(ProtobufBuffer out, RecordedSpan span, long offsetNs) {
        int end = out.end();
        out.fixed32Field(16, flags(span));
        if (span.failed) {
            int status = out.end();
            out.varintField(3, STATUS_ERROR);
            out.message(15, status);
        }
        for (int i = span.attributes.size() - 2; i >= 0; i -= 2) {
            ExportRequest.attribute(out, 9, (String) span.attributes.get(i), span.attributes.get(i + 1));
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
        out.message(ExportRequest.ITEM, end);
    }

    private static int flags(RecordedSpan span) {
        boolean remote = span.kind == RecordedSpan.Kind.SERVER && span.parentId != 0;
        return SAMPLED | HAS_IS_REMOTE | (remote ? IS_REMOTE : 0);
    }
}
