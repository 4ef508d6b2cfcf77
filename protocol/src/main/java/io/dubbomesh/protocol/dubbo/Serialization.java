package io.dubbomesh.protocol.dubbo;

import io.dubbomesh.protocol.fastjson.FastjsonValues;
import io.dubbomesh.protocol.fastjson.FastjsonWriter;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.hessian.HessianValues;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.protocol.jsonb.JsonbReader;
import io.dubbomesh.protocol.jsonb.JsonbValues;
import io.dubbomesh.protocol.jsonb.JsonbWriter;
import io.dubbomesh.protocol.value.ReadingTime;
import io.dubbomesh.protocol.value.ValueReader;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static java.util.Map.entry;

/** The serialization of the bodies of Dubbo frames; a response is read by the id in its header. */
public enum Serialization {
    HESSIAN2(2),
    FASTJSON(6),
    FASTJSON2(23);

    /** The ids have five bits. */
    private static final Serialization[] BY_ID = new Serialization[32];

    private static final List<String> NAMES =
            Arrays.stream(values()).map(Serialization::dubboName).toList();

    /** The serializations that the agents do not speak. */
    private static final Map<Integer, String> OTHERS = Map.ofEntries(
            entry(3, "java"),
            entry(4, "compactedjava"),
            entry(7, "nativejava"),
            entry(8, "kryo"),
            entry(9, "fst"),
            entry(10, "native-hessian"),
            entry(11, "avro"),
            entry(12, "protostuff"),
            entry(16, "gson"),
            entry(18, "jackson"),
            entry(21, "protobuf-json"),
            entry(22, "protobuf"),
            entry(25, "kryo2"),
            entry(27, "msgpack"),
            entry(28, "fury"));

    static {
        for (Serialization serialization : values()) {
            BY_ID[serialization.id] = serialization;
        }
    }

    private final int id;
    private final String dubboName;

    Serialization(int id) {
        this.id = id;
        dubboName = name().toLowerCase(Locale.ROOT);
    }

    /** Returns the serializations that the agents speak, by Dubbo's names. */
    public static List<String> names() {
        return NAMES;
    }

    /** Returns the one with this name, which is one of {@link #names}. */
    public static Serialization named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /**
     * Dubbo's name of a serialization by its id, also of one that the agents do not speak; null if Dubbo has none with
     * this id.
     */
    public static String dubboName(int id) {
        Serialization ours = of(id);
        return ours == null ? OTHERS.get(id) : ours.dubboName();
    }

    /** Returns the one with this id, or null. */
    public static Serialization of(int id) {
        return id >= 0 && id < BY_ID.length ? BY_ID[id] : null;
    }

    /** Returns the number in the low five bits of a header's flags. */
    public int id() {
        return id;
    }

    /** Dubbo's name for it, as {@code hessian2}. */
    public String dubboName() {
        return dubboName;
    }

    /** Returns a writer of its values. */
    public ValueWriter newWriter() {
        return switch (this) {
            case HESSIAN2 -> new HessianWriter();
            case FASTJSON -> new FastjsonWriter();
            case FASTJSON2 -> new JsonbWriter();
        };
    }

    ValueReader newReader(ReadingTime time) {
        return switch (this) {
            case HESSIAN2 -> new HessianValues(new HessianReader(time));
            case FASTJSON -> new FastjsonValues(time);
            case FASTJSON2 -> new JsonbValues(new JsonbReader(time));
        };
    }

    /** Returns a body that is one text, or null, as heartbeats have. */
    public byte[] body(String text) {
        ByteBuf out = Unpooled.buffer();
        ValueWriter writer = newWriter().reset(out);
        if (text == null) {
            writer.writeNull();
        } else {
            writer.writeString(text);
        }
        return ByteBufUtil.getBytes(out);
    }
}
