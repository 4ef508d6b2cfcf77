package io.dubbomesh.benchmark.connections;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A form request of {@code hash(String)} and the body of its answer. Both live as long as the program; a request is written as a
 * duplicate.
 */
record FormCall(ByteBuf request, ByteBuf answer) {
    private static final String FIELDS =
            "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
                    + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=";
    private static final String CHARS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    private static final int LENGTHS = 1024;
    private static final long SEED = 20180601;

    /** The first has the empty text, the others 0 to 1,023 characters. */
    static List<FormCall> pool(int size) {
        Random random = new Random(SEED);
        List<FormCall> calls = new ArrayList<>();
        calls.add(of(""));
        while (calls.size() < size) {
            StringBuilder text = new StringBuilder();
            for (int left = random.nextInt(LENGTHS); left > 0; left--) {
                text.append(CHARS.charAt(random.nextInt(CHARS.length())));
            }
            calls.add(of(text.toString()));
        }
        return calls;
    }

    private static FormCall of(String text) {
        String body = FIELDS + text;
        String request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: " + body.length() + "\r\n\r\n" + body;
        return new FormCall(direct(request), direct(Integer.toString(text.hashCode())));
    }

    /** Memory outside of the heap, which is written without a copy; freed with its object, so that nobody need release it. */
    private static ByteBuf direct(String text) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(text.length());
        bytes.put(text.getBytes(US_ASCII)).flip();
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(bytes));
    }
}
