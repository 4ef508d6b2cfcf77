package io.dubbomesh.consumer.mcp;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.RequestFields;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.consumer.mcp.tool.ToolFile;
import io.dubbomesh.consumer.server.ConnectionFeed;
import io.dubbomesh.consumer.server.ConnectionFeed.Answers;
import io.dubbomesh.consumer.server.PlainHandler;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

import java.util.List;
import java.util.concurrent.Executor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

/**
 * Requests to the server of the Model Context Protocol: whatever comes, only the methods of the published tools are
 * called, with as many arguments as they have, and the answer is never 500, however the bytes arrive.
 */
public final class McpFuzz {
    private static final String TOOLS = """
            instructions = "For tests."
            tools {
              add { service = a.B, method = m, arguments = [ { name = x }, { name = y, optional = true }, { fixed = [1] } ] }
              list { service = a.B, method = n, page-size = 2, mask = [card, "*.secret"], max-answer = 100 B }
            }
            """;
    private static final String RESULT = "[{\"card\":1,\"secret\":\"a\"},{\"b\":{\"secret\":2}},null]";

    private McpFuzz() {}

    /** Called by Jazzer. */
    public static void fuzzerInitialize() {
        FuzzedInput.countAllBuffers();
    }

    public static void fuzzerTestOneInput(byte[] input) {
        if (input.length > 0) {
            FuzzedInput.check(allocator -> read(input, allocator));
        }
    }

    private static void read(byte[] input, ByteBufAllocator allocator) {
        try (ConnectionFeed connection = new ConnectionFeed(allocator, Handler::new)) {
            FuzzedInput.requireSameInPieces(input, cuts -> connection.of(Answers.AT_ONCE, input, cuts));
        }
    }

    private static final class Handler extends PlainHandler {
        private final CallReader reader = new CallReader(
                new CallSettings(32, 64, SECONDS.toNanos(5), 60_000),
                new Router(64, new CallMetrics(CallMetricNames.CONSUMER, 64)));
        private final Response response;
        private final List<String> happened;
        private final McpEndpoint endpoint;

        Handler(Response response, Executor loop, List<String> happened) {
            this.response = response;
            this.happened = happened;
            PublishedTools tools = new PublishedTools(ToolFile.parse(TOOLS), new CallRates(0), Runnable::run, () -> {});
            endpoint = new McpEndpoint(tools, reader, this::send, response, loop);
        }

        private void send(ParsedCall call, Responder responder, long receivedNs, long nowNs) throws CallException {
            MethodName name = call.route().name();
            if (name.method().equals(MethodName.DESCRIBE)) {
                throw new CallException(Outcome.NO_PROVIDER, "none");
            }
            ByteBuf arguments = Unpooled.buffer();
            call.writeArguments(arguments);
            requirePublished(name, arguments.toString(UTF_8));
            happened.add(name + " " + arguments.toString(UTF_8));
            ByteBuf result = Unpooled.copiedBuffer(RESULT, UTF_8);
            responder.respond(response.set(Outcome.OK, Response.Content.JSON, result, 0, 0, result.readableBytes()));
        }

        private static void requirePublished(MethodName name, String arguments) {
            int count = ((List<?>) Json.read(arguments)).size();
            boolean isPublished = name.service().equals("a.B")
                    && (name.method().equals("m") && count == 3 || name.method().equals("n") && count == 0);
            if (!isPublished) {
                throw new AssertionError(name + " with " + arguments + " is not published");
            }
        }

        @Override
        public RequestFields newFields() {
            return reader.newFields(endpoint.newFields());
        }

        @Override
        public String allowedMethods(HttpRequestParser request) {
            return endpoint.allowedMethods();
        }

        @Override
        public void checkHead(HttpRequestParser request) throws CallException {
            endpoint.checkHead(request);
        }

        @Override
        public void handle(HttpRequestParser request, Responder responder, long receivedNs, long nowNs)
                throws CallException {
            endpoint.handle(request, responder, receivedNs, nowNs);
        }
    }
}
