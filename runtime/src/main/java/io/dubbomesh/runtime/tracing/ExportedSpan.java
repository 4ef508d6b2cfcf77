package io.dubbomesh.runtime.tracing;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;

import java.util.List;

/** A recorded span as the SDK exports it. */
final class ExportedSpan implements SpanData {
    private static final InstrumentationScopeInfo SCOPE = InstrumentationScopeInfo.create("io.dubbomesh");

    private final RecordedSpan span;
    private final long offsetNs;
    private final Resource resource;
    private final SpanContext context;
    private final SpanContext parent;
    private final Attributes attributes;

    /** @param offsetNs the nanoseconds since 1970 at the origin of {@link System#nanoTime} */
    ExportedSpan(RecordedSpan span, long offsetNs, Resource resource) {
        this.span = span;
        this.offsetNs = offsetNs;
        this.resource = resource;
        String traceId = TraceId.fromLongs(span.traceIdHigh, span.traceIdLow);
        context =
                SpanContext.create(traceId, SpanId.fromLong(span.id), TraceFlags.getSampled(), TraceState.getDefault());
        parent = parent(traceId);
        attributes = attributes();
    }

    private SpanContext parent(String traceId) {
        if (span.parentId == 0) {
            return SpanContext.getInvalid();
        }
        String id = SpanId.fromLong(span.parentId);
        return switch (span.kind) {
            case SERVER ->
                SpanContext.createFromRemoteParent(traceId, id, TraceFlags.getSampled(), TraceState.getDefault());
            case CLIENT -> SpanContext.create(traceId, id, TraceFlags.getSampled(), TraceState.getDefault());
        };
    }

    private Attributes attributes() {
        AttributesBuilder builder = Attributes.builder();
        for (int i = 0; i < span.attributes.size(); i += 2) {
            String key = (String) span.attributes.get(i);
            Object value = span.attributes.get(i + 1);
            if (value instanceof Long number) {
                builder.put(AttributeKey.longKey(key), number);
            } else {
                builder.put(AttributeKey.stringKey(key), (String) value);
            }
        }
        return builder.build();
    }

    @Override
    public String getName() {
        return span.name;
    }

    @Override
    public SpanKind getKind() {
        return switch (span.kind) {
            case SERVER -> SpanKind.SERVER;
            case CLIENT -> SpanKind.CLIENT;
        };
    }

    @Override
    public SpanContext getSpanContext() {
        return context;
    }

    @Override
    public SpanContext getParentSpanContext() {
        return parent;
    }

    @Override
    public StatusData getStatus() {
        return span.failed ? StatusData.error() : StatusData.unset();
    }

    @Override
    public long getStartEpochNanos() {
        return span.startNs + offsetNs;
    }

    @Override
    public long getEndEpochNanos() {
        return span.endNs + offsetNs;
    }

    @Override
    public Attributes getAttributes() {
        return attributes;
    }

    @Override
    public List<EventData> getEvents() {
        return List.of();
    }

    @Override
    public List<LinkData> getLinks() {
        return List.of();
    }

    @Override
    public boolean hasEnded() {
        return true;
    }

    @Override
    public int getTotalRecordedEvents() {
        return 0;
    }

    @Override
    public int getTotalRecordedLinks() {
        return 0;
    }

    @Override
    public int getTotalAttributeCount() {
        return attributes.size();
    }

    /** The SDK wants it still, for exporters that are older than scopes. */
    @Override
    @Deprecated
    @SuppressWarnings("deprecation")
    public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
        return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(SCOPE.getName(), null);
    }

    @Override
    public InstrumentationScopeInfo getInstrumentationScopeInfo() {
        return SCOPE;
    }

    @Override
    public Resource getResource() {
        return resource;
    }
}
