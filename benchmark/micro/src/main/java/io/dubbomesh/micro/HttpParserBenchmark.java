package io.dubbomesh.micro;

import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.ContentType;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One request, whole in one read, from its bytes to all that is to be known of it.
 */
public class HttpParserBenchmark extends Microbenchmark {
    private ByteBuf in;
    private HttpRequestParser parser;
    private EmbeddedChannel decoder;

    @Setup
    public void setUp() {
        in = ContestCall.buffer(ContestCall.http());
        parser = new HttpRequestParser(
                HttpLimits.DEFAULTS,
                PooledByteBufAllocator.DEFAULT,
                new CallReader(new CallSettings(32, 4096, 5_000_000_000L, 60_000), new Router(4096)).newFields());
        decoder = new EmbeddedChannel(new HttpRequestDecoder(), new Releaser());
        String form = new String(ContestCall.form(ContestCall.LETTERS), UTF_8);

        agent();
        requireEqual(parser.method() + " " + parser.target().toString(UTF_8), "POST /");
        requireEqual(parser.contentType(), ContentType.FORM);
        requireEqual(parser.body().toString(parser.bodyOffset(), parser.bodyLength(), UTF_8), form);
    }

    @TearDown
    public void tearDown() {
        decoder.finishAndReleaseAll();
        parser.close();
        in.release();
    }

    @Benchmark
    public HttpRequestParser agent() {
        if (parser.parse(in.readerIndex(0)) != HttpRequestParser.Result.REQUEST) {
            throw new IllegalStateException(parser.detail());
        }
        return parser;
    }

    /**
     * The head and the pieces of the body as separate objects. Not by writeInbound, whose own queues and tasks are no part of what is
     * measured.
     */
    @Benchmark
    public EmbeddedChannel netty() {
        decoder.pipeline().fireChannelRead(in.readerIndex(0).retain());
        decoder.pipeline().fireChannelReadComplete();
        return decoder;
    }

    private static final class Releaser extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ReferenceCountUtil.release(message);
        }
    }
}
