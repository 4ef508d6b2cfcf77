package io.dubbomesh.consumer.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** The result of a parser: complete requests, and the end. */
record ParsedRequests(List<Parsed> requests, End end) {
    enum End {
        FAILED,
        /** The next request is not complete. */
        MORE,
        /** No request may follow the last one. */
        CLOSED
    }

    /**
     * A request; each character is a byte.
     *
     * @param raw all of its bytes, if it is ours, with an empty line in front of it
     */
    record Parsed(String method, String target, String body, String raw) {
        boolean isSameAs(Parsed other) {
            return method.equals(other.method) && target.equals(other.target) && body.equals(other.body);
        }

        @Override
        public String toString() {
            return method + " " + target + " with a body of " + body.length() + " bytes";
        }

        /** With the path and the query alone, as an absolute target has them behind the authority. */
        static Parsed of(String method, String target, String body) {
            String path = target.replaceFirst("^(?i:https?)://[^/?]*", "");
            boolean isAbsolute = path.length() < target.length();
            return new Parsed(method, isAbsolute && !path.startsWith("/") ? "/" + path : path, body, "");
        }
    }

    /** Parses with our parser. */
    static ParsedRequests ours(byte[] bytes) {
        List<Parsed> requests = new ArrayList<>();
        try (HttpRequestParser parser =
                new HttpRequestParser(HttpLimits.DEFAULTS, UnpooledByteBufAllocator.DEFAULT, new RequestFields() {
                    @Override
                    public void register(HeaderTable table) {}

                    @Override
                    public void reset() {}
                })) {
            ByteBuf in = Unpooled.wrappedBuffer(bytes);
            int start = 0;
            while (true) {
                switch (parser.parse(in)) {
                    case NEED_DATA -> {
                        return new ParsedRequests(requests, End.MORE);
                    }
                    case FAILED -> {
                        return new ParsedRequests(requests, End.FAILED);
                    }
                    case HEAD, CONTINUE -> {}
                    case REQUEST -> {
                        requests.add(new Parsed(
                                parser.method(),
                                parser.target().toString(ISO_8859_1),
                                parser.body().toString(parser.bodyOffset(), parser.bodyLength(), ISO_8859_1),
                                in.toString(start, in.readerIndex() - start, ISO_8859_1)));
                        start = in.readerIndex();
                        if (!parser.keepAlive()) {
                            return new ParsedRequests(requests, End.CLOSED);
                        }
                    }
                }
            }
        }
    }

    /** Parses with Netty's decoder. */
    static ParsedRequests netty(byte[] bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(new HttpRequestDecoder(new HttpDecoderConfig()));
        List<Parsed> requests = new ArrayList<>();
        End end = End.MORE;
        HttpRequest head = null;
        StringBuilder body = new StringBuilder();
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        for (HttpObject part = channel.readInbound(); part != null; part = channel.readInbound()) {
            if (part.decoderResult().isFailure()) {
                end = End.FAILED;
            } else if (end == End.MORE) {
                if (part instanceof HttpRequest request) {
                    head = request;
                    body.setLength(0);
                }
                if (part instanceof HttpContent content) {
                    body.append(content.content().toString(ISO_8859_1));
                }
                if (part instanceof LastHttpContent) {
                    requests.add(Parsed.of(head.method().name(), head.uri(), body.toString()));
                }
            }
            ReferenceCountUtil.release(part);
        }
        channel.finishAndReleaseAll();
        return new ParsedRequests(requests, end);
    }

    /** Parses what another program has written: METHOD,TARGET,BODY; of each request, and the end. */
    static ParsedRequests parse(String text) {
        List<Parsed> requests = new ArrayList<>();
        String[] parts = text.split(";");
        for (int i = 0; i < parts.length - 1; i++) {
            String[] fields = parts[i].split(",", -1);
            requests.add(Parsed.of(fields[0], plain(fields[1]), plain(fields[2])));
        }
        return new ParsedRequests(requests, End.valueOf(parts[parts.length - 1].toUpperCase(Locale.ROOT)));
    }

    private static String plain(String hex) {
        return new String(HexFormat.of().parseHex(hex), ISO_8859_1);
    }

    /**
     * Returns the difference between these, which are ours, and others of the same bytes; null if there is none. What
     * we refuse and others take is no difference, nor is what stands behind a request after which the connection ends.
     */
    String differenceFrom(ParsedRequests other) {
        for (int i = 0; i < requests.size(); i++) {
            if (i == other.requests.size()) {
                return other.end == End.CLOSED ? null : "taken by us alone: " + requests.get(i);
            }
            if (!requests.get(i).isSameAs(other.requests.get(i))) {
                return requests.get(i) + " by us, " + other.requests.get(i) + " by the other";
            }
        }
        return end == End.MORE && other.requests.size() > requests.size()
                ? "complete for the other alone: " + other.requests.get(requests.size())
                : null;
    }

    /**
     * The number of the first request that the other has not, or has otherwise; how many there are if there is none.
     */
    int firstThatDiffersFrom(ParsedRequests other) {
        int same = 0;
        while (same < requests.size()
                && same < other.requests.size()
                && requests.get(same).isSameAs(other.requests.get(same))) {
            same++;
        }
        return same;
    }
}
