package io.dubbomesh.micro;

import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;

import java.net.URLEncoder;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The call of the 2018 Dubbo Mesh benchmark, {@code hash(String)} with 512 letters, in the formats of its way. */
public final class ContestCall {
    public static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    public static final String METHOD = "hash";
    public static final String DESCRIPTOR = "Ljava/lang/String;";
    public static final MethodName NAME = new MethodName(SERVICE, METHOD, DESCRIPTOR, "", "");

    public static final String LETTERS = letters();

    private ContestCall() {}

    private static String letters() {
        Random random = new Random(20180601);
        StringBuilder letters = new StringBuilder();
        for (int i = 0; i < 512; i++) {
            letters.append((char) ('a' + random.nextInt(26)));
        }
        return letters.toString();
    }

    public static byte[] form(String parameter) {
        String form = "interface=" + SERVICE
                + "&method=" + METHOD
                + "&parameterTypesString=" + URLEncoder.encode(DESCRIPTOR, UTF_8)
                + "&parameter=" + URLEncoder.encode(parameter, UTF_8);
        return form.getBytes(US_ASCII);
    }

    /** The request as wrk sends it. */
    public static byte[] http(String parameter) {
        String form = new String(form(parameter), US_ASCII);
        String head = "POST / HTTP/1.1\r\nHost: 127.0.0.1:20000\r\nContent-Type: application/x-www-form-urlencoded\r\n";
        return (head + "Content-Length: " + form.length() + "\r\n\r\n" + form).getBytes(US_ASCII);
    }

    /** A buffer like those of the agents. The caller releases it. */
    public static ByteBuf buffer(byte[] content) {
        return buffer().writeBytes(content);
    }

    public static ByteBuf buffer() {
        return PooledByteBufAllocator.DEFAULT.directBuffer(4096);
    }

    /** The form arguments of the mesh protocol: a 32-bit length and UTF-8 text. */
    public static ByteBuf meshArguments(String argument) {
        ByteBuf arguments = buffer().writeInt(ByteBufUtil.utf8Bytes(argument));
        ByteBufUtil.writeUtf8(arguments, argument);
        return arguments;
    }
}
