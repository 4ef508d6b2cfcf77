package io.dubbomesh.micro;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.FormCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The consumer agent's part of a call: the bytes of an HTTP request, whole in one read, and those of the form in it.
 */
public class RequestBenchmark extends Microbenchmark {
    private static final int MAX_FIELDS = 32;

    /** 512 letters, or 512 characters of which most are escaped. */
    @Param({"letters", "escaped"})
    public String parameter;

    private final FormCall form = new FormCall(MAX_FIELDS);
    private final Router router = new Router(4096, new CallMetrics(CallMetricNames.CONSUMER, 256));
    private ByteBuf request;
    private ByteBuf body;
    private ByteBuf out;
    private HttpRequestParser parser;

    @Setup
    public void setUp() throws CallException {
        String text = parameter.equals("letters")
                ? ContestCall.LETTERS
                : "Grüße & 世界 = 50% + ?".repeat(32).substring(0, 512);
        request = ContestCall.buffer(ContestCall.http(text));
        body = ContestCall.buffer(ContestCall.form(text));
        out = ContestCall.buffer();
        parser = new HttpRequestParser(
                HttpLimits.DEFAULTS,
                PooledByteBufAllocator.DEFAULT,
                new CallReader(
                                new CallSettings(MAX_FIELDS, 4096, 5_000_000_000L, 60_000),
                                new Router(4096, new CallMetrics(CallMetricNames.CONSUMER, 256)))
                        .newFields());
        form.parse(body, 0, body.writerIndex());
        Route route = router.find(form.names());
        router.keep(route);

        requireEqual(http().method() + " " + parser.target().toString(UTF_8), "POST /");
        requireEqual(
                parser.body().toString(parser.bodyOffset(), parser.bodyLength(), UTF_8),
                new String(ContestCall.form(text), UTF_8));
        requireEqual(form(), route);
        ByteBuf arguments = ContestCall.meshArguments(text);
        requireEqual(out, arguments);
        arguments.release();
    }

    @TearDown
    public void tearDown() {
        parser.close();
        request.release();
        body.release();
        out.release();
    }

    /** Parses a request from its bytes to all that is to be known of it. */
    @Benchmark
    public HttpRequestParser http() {
        if (parser.parse(request.readerIndex(0)) != HttpRequestParser.Result.REQUEST) {
            throw new IllegalStateException(parser.detail());
        }
        return parser;
    }

    /** Reads a form from its bytes to the route of its method, and to its argument as the mesh has it. */
    @Benchmark
    public Route form() throws CallException {
        form.parse(body, 0, body.writerIndex());
        Route route = router.find(form.names());
        form.writeArguments(out.clear());
        return route;
    }
}
