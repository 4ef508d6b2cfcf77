package io.dubbomesh.micro;

import io.dubbomesh.consumer.call.FormCall;
import io.dubbomesh.consumer.call.Route;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A form's bytes to the route of its method and to its argument as the mesh has it.
 */
public class FormBenchmark extends Microbenchmark {
    private static final int MAX_FIELDS = 32;

    /** 512 letters, or 512 characters of which most are escaped. */
    @Param({"letters", "escaped"})
    public String parameter;

    private ByteBuf in;
    private ByteBuf out;
    private FormCall form;
    private Router router;
    private Map<MethodName, Route> routes;

    @Setup
    public void setUp() throws CallException {
        String text = switch (parameter) {
            case "letters" -> ContestCall.LETTERS;
            case "escaped" -> "Grüße & 世界 = 50% + ?".repeat(32).substring(0, 512);
            default ->
                throw new IllegalArgumentException("parameter: " + parameter + " (expected: letters or escaped)");
        };
        in = ContestCall.buffer(ContestCall.form(text));
        out = ContestCall.buffer();
        form = new FormCall(MAX_FIELDS);
        router = new Router(4096);

        form.parse(in, 0, in.writerIndex());
        Route route = router.find(form.names());
        router.keep(route);
        routes = new HashMap<>(Map.of(ContestCall.NAME, route));

        ByteBuf arguments = ContestCall.meshArguments(text);
        requireEqual(agent(), route);
        requireEqual(out, arguments);
        requireEqual(netty(), route);
        requireEqual(out, arguments);
        arguments.release();
    }

    @TearDown
    public void tearDown() {
        in.release();
        out.release();
    }

    @Benchmark
    public Route agent() throws CallException {
        form.parse(in, 0, in.writerIndex());
        Route route = router.find(form.names());
        form.writeArguments(out.clear());
        return route;
    }

    @Benchmark
    public Route netty() {
        Map<String, List<String>> fields =
                new QueryStringDecoder(in.toString(UTF_8), UTF_8, false, MAX_FIELDS).parameters();
        MethodName name = new MethodName(
                fields.get("interface").get(0),
                fields.get("method").get(0),
                fields.get("parameterTypesString").get(0),
                fields.containsKey("version") ? fields.get("version").get(0) : "",
                fields.containsKey("group") ? fields.get("group").get(0) : "");
        out.clear();
        for (String argument : fields.get("parameter")) {
            out.writeInt(ByteBufUtil.utf8Bytes(argument));
            ByteBufUtil.writeUtf8(out, argument);
        }
        return routes.get(name);
    }
}
