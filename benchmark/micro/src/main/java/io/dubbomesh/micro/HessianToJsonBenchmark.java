package io.dubbomesh.micro;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/** A small object from a provider's bytes to JSON: in one go, or as an object made by hessian-lite and written by Jackson. */
public class HessianToJsonBenchmark extends Microbenchmark {
    private final HessianReader reader = new HessianReader();
    private final HessianToJson transcoder = new HessianToJson(reader, 8 << 20);
    private final Hessian2Input input = HessianLite.input(null);
    private final ObjectWriter json = new ObjectMapper().writerFor(Order.class);
    private ByteBuf hessian;
    private ByteBuf out;

    @Setup
    public void setUp() throws IOException, MalformedValueException {
        hessian = ContestCall.buffer();
        out = ContestCall.buffer();
        Hessian2Output output = HessianLite.output(new ByteBufOutputStream(hessian));
        output.writeObject(new Order("Ada Lovelace", 4711, 12.25, true, new ArrayList<>(List.of("ink", "paper"))));
        output.flush();

        // The order of the fields is each writer's own.
        ObjectMapper mapper = new ObjectMapper();
        JsonNode expected = mapper.readTree(
                "{'customer':'Ada Lovelace','number':4711,'total':12.25,'paid':true,'items':['ink','paper']}"
                        .replace('\'', '"'));
        requireEqual(mapper.readTree(hessianLiteAndJackson().toString(UTF_8)), expected);
        requireEqual(mapper.readTree(agent().toString(UTF_8)), expected);
    }

    @TearDown
    public void tearDown() {
        hessian.release();
        out.release();
    }

    @Benchmark
    public ByteBuf agent() throws MalformedValueException {
        reader.reset(hessian, 0, hessian.writerIndex());
        transcoder.writeJson(out.clear(), ClassNames.OMIT);
        return out;
    }

    @Benchmark
    public ByteBuf hessianLiteAndJackson() throws IOException {
        input.init(new ByteBufInputStream(hessian.readerIndex(0)));
        Object order = input.readObject();
        json.writeValue((OutputStream) new ByteBufOutputStream(out.clear()), order);
        return out;
    }

    /** What a service returns. */
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.ANY)
    private static final class Order implements Serializable {
        private static final long serialVersionUID = 1L;

        private final String customer;
        private final long number;
        private final double total;
        private final boolean paid;
        private final ArrayList<String> items;

        private Order(String customer, long number, double total, boolean paid, ArrayList<String> items) {
            this.customer = customer;
            this.number = number;
            this.total = total;
            this.paid = paid;
            this.items = items;
        }
    }
}
