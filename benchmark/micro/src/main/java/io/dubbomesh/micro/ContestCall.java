package io.dubbomesh.micro;

import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;

import java.net.URLEncoder;
import java.util.Random;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/** The call of the 2018 Dubbo Mesh benchmark, {@code hash(String)} with 512 letters, as it stands in the formats compared. */
public final class ContestCall {
    public static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    public static final String METHOD = "hash";
    public static final String DESCRIPTOR = "Ljava/lang/String;";
    public static final MethodName NAME = new MethodName(SERVICE, METHOD, DESCRIPTOR, "", "");

    public static final String LETTERS = letters();
    /** What the service answers. */
    public static final String RESULT = String.valueOf(LETTERS.hashCode());

    private static final String HEADERS_OF_WRK = "Host: 127.0.0.1:20000\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\n"
            + "Content-Length: %d\r\n\r\n";
    private static final String HEADERS_OF_A_BROWSER = "Host: mesh.example.com:20000\r\n"
            + "Connection: keep-alive\r\n"
            + "Content-Length: %d\r\n"
            + "Cache-Control: max-age=0\r\n"
            + "Origin: http://mesh.example.com:20000\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\n"
            + "Upgrade-Insecure-Requests: 1\r\n"
            + "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
            + " Chrome/140.0.0.0 Safari/537.36\r\n"
            + "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8\r\n"
            + "Referer: http://mesh.example.com:20000/form.html\r\n"
            + "Accept-Encoding: gzip, deflate\r\n"
            + "Accept-Language: en-GB,en;q=0.9,de;q=0.8\r\n\r\n";

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

    /** @param client "wrk", which sends what it must, or "browser" */
    public static byte[] http(String client) {
        String headers = switch (client) {
            case "wrk" -> HEADERS_OF_WRK;
            case "browser" -> HEADERS_OF_A_BROWSER;
            default -> throw new IllegalArgumentException("client: " + client + " (expected: wrk or browser)");
        };
        byte[] form = form(LETTERS);
        String head = "POST / HTTP/1.1\r\n" + headers.formatted(form.length);
        return (head + new String(form, US_ASCII)).getBytes(US_ASCII);
    }

    /** A buffer of the kind that the agents read into and write to; the caller's to release. */
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
