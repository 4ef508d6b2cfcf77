package io.dubbomesh.micro;

import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianValues;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.type.ValueToJson;
import io.dubbomesh.protocol.value.ClassNames;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.netty.buffer.ByteBuf;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.math.BigDecimal;
import java.util.List;
import java.util.Random;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A list of twenty objects of twenty fields from a provider's bytes to JSON. Their class is none that the reader has.
 */
public class HessianListToJsonBenchmark extends Microbenchmark {
    private static final int OBJECTS = 20;
    private static final String CLASS = "com.example.shop.Order";
    private static final String[] FIELDS = ("number customer email street city country currency status items weight"
                    + " priority warehouse created changed shipped discount taxRate paid gift total")
            .split(" ");

    private final HessianReader reader = new HessianReader();
    private final ValueToJson transcoder = new ValueToJson(new HessianValues(reader), 8 << 20);
    private ByteBuf hessian;
    private ByteBuf out;

    @Setup
    public void setUp() throws MalformedValueException {
        hessian = ContestCall.buffer();
        out = ContestCall.buffer();
        writeOrders();
        String json = agent().toString(UTF_8);
        requireEqual(json.split("\"gift\":").length - 1, OBJECTS);
        requireEqual(json.split("\":").length - 1, OBJECTS * FIELDS.length);
    }

    private void writeOrders() {
        Random random = new Random(20180601);
        HessianWriter writer = new HessianWriter().reset(hessian);
        writer.beginList("java.util.ArrayList", OBJECTS);
        for (int i = 0; i < OBJECTS; i++) {
            writer.beginObject(CLASS, FIELDS);
            writer.writeString("2026-%08d".formatted(random.nextInt(100_000_000)));
            for (String text :
                    List.of("Ada Lovelace", "ada@example.com", "12 St James's Square", "London", "GB", "GBP")) {
                writer.writeString(text);
            }
            writer.writeString(random.nextBoolean() ? "SHIPPED" : "OPEN");
            for (int bound : new int[] {20, 5_000, 3, 1_000_000}) {
                writer.writeInt(random.nextInt(bound));
            }
            writer.writeLong(1_795_000_000_000L + random.nextInt());
            writer.writeLong(1_795_000_000_000L + random.nextInt());
            writer.writeNull();
            writer.writeDouble(random.nextInt(100) / 4.0);
            writer.writeDouble(0.2);
            writer.writeBoolean(random.nextBoolean());
            writer.writeBoolean(false);
            writer.writeBigDecimal(BigDecimal.valueOf(random.nextInt(100_000), 2));
        }
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
}
