package io.dubbomesh.consumer.trace;

import io.dubbomesh.consumer.record.CallRecord;
import io.dubbomesh.consumer.record.CallRecorder;
import io.dubbomesh.consumer.record.RecordedAnswer;
import io.dubbomesh.consumer.record.Sampling;
import io.dubbomesh.consumer.record.TraceFields;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.TraceParent;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.metrics.Exemplar;
import io.dubbomesh.runtime.tracing.RecordedSpan;
import io.dubbomesh.runtime.tracing.RecordedSpan.Kind;
import io.dubbomesh.runtime.tracing.Tracing;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.metrics.MethodMetrics;

import java.net.InetSocketAddress;

/**
 * Decides which requests of an event loop are traced, and records their spans: of those whose client says so by
 * {@code traceparent}, and of a part of those that say nothing. Owned by the loop.
 */
public final class RequestTracer implements CallRecorder {
    private static final String CLIENT_LEFT = "client_left";
    private static final int SERVER_ERROR = 500;

    private final Tracing tracing;
    private final TraceSampler sampler;
    /** Chooses among the requests without {@code traceparent}. */
    private final Sampling sampling;

    private final CallMetrics metrics;
    /** The method that was traced last, which is likely to come again, with its text. */
    private MethodName lastMethod;

    private String lastName;
    private String lastEndpoint;
    private HostPort lastParsed;

    /** @param metrics where the calls of the loop are counted */
    public RequestTracer(Tracing tracing, TraceSampler sampler, CallMetrics metrics) {
        this.tracing = tracing;
        this.sampler = sampler;
        sampling = sampler.newSampling();
        this.metrics = metrics;
    }

    @Override
    public boolean shouldRecord(TraceFields fields, TraceParent parent) {
        if (fields == null) {
            return false;
        }
        return parent == null ? sampling.chooses() : parent.isSampled();
    }

    @Override
    public void begins(CallRecord record, TraceFields fields) {
        if (!record.trace().isPresent()) {
            record.trace().join(RecordedSpan.newId(), sampler.newId(), true);
        }
        record.trace().spans(RecordedSpan.newId(), RecordedSpan.newId());
        fields.setParent(
                record.trace().idHigh(), record.trace().idLow(), record.trace().clientSpanId());
    }

    @Override
    public boolean ended(CallRecord record) {
        tracing.ended(serverSpan(record));
        if (record.call().attempts() > 0) {
            tracing.ended(clientSpan(record));
        }
        if (record.answer().outcome() != null) {
            metrics(record.call().method())
                    .traced(new Exemplar(
                            record.trace().idHigh(),
                            record.trace().idLow(),
                            record.trace().serverSpanId(),
                            record.totalNs(),
                            System.currentTimeMillis()));
        }
        return false;
    }

    private MethodMetrics metrics(MethodName method) {
        return method == null ? metrics.other() : metrics.known(method.service(), method.method());
    }

    private RecordedSpan serverSpan(CallRecord record) {
        String target = record.request().target();
        int query = target.indexOf('?');
        String path = query < 0 ? target : target.substring(0, query);
        String route = route(record, path);
        RecordedSpan span = new RecordedSpan(
                        Kind.SERVER,
                        route == null
                                ? record.request().httpMethod()
                                : record.request().httpMethod() + ' ' + route,
                        record.trace().idHigh(),
                        record.trace().idLow(),
                        record.trace().serverSpanId(),
                        record.trace().parentSpanId())
                .time(record.request().receivedNs(), record.answer().endedNs())
                .attribute("http.request.method", record.request().httpMethod())
                .attribute("url.scheme", "http")
                .attribute("url.path", path)
                .attribute("http.request.body.size", record.request().bodyBytes());
        if (route != null) {
            span.attribute("http.route", route);
        }
        if (record.request().tool() != null) {
            span.attribute("mcp.method.name", "tools/call");
            span.attribute("gen_ai.tool.name", record.request().tool());
        }
        if (record.request().client() instanceof InetSocketAddress client) {
            span.attribute("client.address", client.getAddress().getHostAddress());
        }
        if (record.answer().messages() != RecordedAnswer.NO_STREAM) {
            span.attribute("dubbomesh.messages", record.answer().messages());
        }
        if (record.answer().outcome() == null) {
            return span.failed(CLIENT_LEFT);
        }
        span.attribute("http.response.status_code", record.answer().status());
        span.attribute("http.response.body.size", record.answer().bodyBytes());
        if (record.answer().status() >= SERVER_ERROR) {
            span.failed(record.answer().outcome().code());
        } else if (record.answer().hasFailed()) {
            // A fault of the client is no error of the server by the conventions.
            span.attribute("error.type", record.answer().outcome().code());
        }
        return span;
    }

    /** Returns the route of a path, null if it is unknown: names that clients invent must not become names of spans. */
    private String route(CallRecord record, String path) {
        if (path.equals("/") || record.request().tool() != null) {
            return path;
        }
        boolean exists = record.call().attempts() > 0
                && record.answer().outcome() != Outcome.METHOD_NOT_FOUND
                && record.answer().outcome() != Outcome.SERVICE_NOT_FOUND;
        return exists ? '/' + name(record.call().method()) : null;
    }

    private String name(MethodName method) {
        if (method != lastMethod) {
            lastMethod = method;
            lastName = method.service() + '/' + method.method();
        }
        return lastName;
    }

    private HostPort parsed(String endpoint) {
        if (!endpoint.equals(lastEndpoint)) {
            lastEndpoint = endpoint;
            lastParsed = HostPort.parseUri(endpoint);
        }
        return lastParsed;
    }

    private RecordedSpan clientSpan(CallRecord record) {
        String method = name(record.call().method());
        HostPort endpoint = parsed(record.call().endpoint());
        RecordedSpan span = new RecordedSpan(
                        Kind.CLIENT,
                        method,
                        record.trace().idHigh(),
                        record.trace().idLow(),
                        record.trace().clientSpanId(),
                        record.trace().serverSpanId())
                .time(record.call().sentNs(), record.arrivedNs())
                .attribute("rpc.system.name", "dubbomesh")
                .attribute("rpc.method", method)
                .attribute("server.address", endpoint.host())
                .attribute("server.port", endpoint.port());
        if (record.call().attempts() > 1) {
            span.attribute("dubbomesh.attempts", record.call().attempts());
        }
        if (record.answer().outcome() == null) {
            return span.failed(CLIENT_LEFT);
        }
        span.attribute("rpc.response.status_code", record.answer().outcome().code());
        return record.answer().outcome() == Outcome.OK
                ? span
                : span.failed(record.answer().outcome().code());
    }
}
