package io.dubbomesh.testsupport;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Stands for a collector of OpenTelemetry: keeps the spans and metrics that agents send to it, by OTLP over HTTP with
 * protobuf. It reads the few fields that tests look at by their numbers, since the official classes need another
 * version of protobuf than the agents have.
 */
public final class SpanReceiver implements Closeable {
    /**
     * @param parentId empty for the first span of a trace
     * @param kind     {@link #SERVER} or {@link #CLIENT}
     */
    public record Span(
            String traceId,
            String id,
            String parentId,
            String name,
            long kind,
            long startNs,
            long endNs,
            Map<String, String> attributes,
            boolean failed) {
        public static final long SERVER = 2;
        public static final long CLIENT = 3;

        private static Span of(Message span) {
            boolean failed = span.has(15) && span.messages(15).get(0).number(3) == 2;
            return new Span(
                    span.hex(1),
                    span.hex(2),
                    span.hex(4),
                    span.text(5),
                    span.number(6),
                    span.number(7),
                    span.number(8),
                    attributes(span.messages(9)),
                    failed);
        }

        private static Map<String, String> attributes(List<Message> all) {
            Map<String, String> attributes = new TreeMap<>();
            for (Message attribute : all) {
                Message value = attribute.messages(2).get(0);
                attributes.put(attribute.text(1), value.has(1) ? value.text(1) : Long.toString(value.number(3)));
            }
            return attributes;
        }
    }

    private final HttpServer server;
    private final List<byte[]> bodies = new CopyOnWriteArrayList<>();
    private final List<byte[]> metrics = new CopyOnWriteArrayList<>();

    public SpanReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> bodies.add(received(exchange)));
        server.createContext("/v1/metrics", exchange -> metrics.add(received(exchange)));
        server.start();
    }

    /** Returns the value of {@code otel.exporter.otlp.endpoint}. */
    public String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static byte[] received(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, -1);
        exchange.close();
        return body;
    }

    /** All ExportTraceServiceRequests so far. */
    public List<byte[]> bodies() {
        return bodies;
    }

    /** The service.name of each request with spans so far. */
    public List<String> serviceNames() {
        return serviceNames(bodies);
    }

    /** Returns the service.name of each request with metrics so far. */
    public List<String> serviceNamesOfMetrics() {
        return serviceNames(metrics);
    }

    private static List<String> serviceNames(List<byte[]> requests) {
        return requests.stream()
                .flatMap(body -> new Message(ByteBuffer.wrap(body)).messages(1).stream())
                .map(items ->
                        Span.attributes(items.messages(1).get(0).messages(1)).get("service.name"))
                .toList();
    }

    /** All spans so far. */
    public List<Span> spans() {
        return bodies.stream()
                .flatMap(body -> new Message(ByteBuffer.wrap(body)).messages(1).stream())
                .flatMap(resource -> resource.messages(2).stream())
                .flatMap(scope -> scope.messages(2).stream())
                .map(Span::of)
                .toList();
    }

    /** All spans, when there are so many. */
    public List<Span> awaitSpans(int count) throws Exception {
        Await.until(count + " spans", () -> spans().size() >= count);
        return spans();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    /** A message of protobuf: its fields by their numbers, each a Long or the bytes of a text or message. */
    private static final class Message {
        private final Map<Integer, List<Object>> fields = new TreeMap<>();

        Message(ByteBuffer in) {
            in.order(ByteOrder.LITTLE_ENDIAN);
            while (in.hasRemaining()) {
                long tag = varint(in);
                Object value = switch ((int) tag & 0x7) {
                    case 0 -> varint(in);
                    case 1 -> in.getLong();
                    case 2 -> bytes(in, (int) varint(in));
                    case 5 -> (long) in.getInt();
                    default -> throw new AssertionError("wire type of tag " + tag);
                };
                fields.computeIfAbsent((int) (tag >>> 3), number -> new CopyOnWriteArrayList<>())
                        .add(value);
            }
        }

        private static long varint(ByteBuffer in) {
            long number = 0;
            for (int shift = 0; ; shift += 7) {
                byte next = in.get();
                number |= (next & 0x7fL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
        }

        private static byte[] bytes(ByteBuffer in, int length) {
            byte[] bytes = new byte[length];
            in.get(bytes);
            return bytes;
        }

        boolean has(int field) {
            return fields.containsKey(field);
        }

        List<Message> messages(int field) {
            return fields.getOrDefault(field, List.of()).stream()
                    .map(bytes -> new Message(ByteBuffer.wrap((byte[]) bytes)))
                    .toList();
        }

        private byte[] bytes(int field) {
            return has(field) ? (byte[]) fields.get(field).get(0) : new byte[0];
        }

        String text(int field) {
            return new String(bytes(field), UTF_8);
        }

        String hex(int field) {
            return HexFormat.of().formatHex(bytes(field));
        }

        long number(int field) {
            return has(field) ? (Long) fields.get(field).get(0) : 0;
        }
    }
}
