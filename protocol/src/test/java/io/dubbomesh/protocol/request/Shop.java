package io.dubbomesh.protocol.request;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.io.Serializable;
import java.math.BigDecimal;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A service with classes of its own, calls of its methods, and what its provider reads. */
final class Shop {
    static final String HERE = Shop.class.getName();
    static final String ITEM = HERE + "$Item";
    static final String SPECIAL = HERE + "$SpecialItem";
    static final String COLOUR = HERE + "$Colour";
    static final String PAGE = HERE + "$Page";
    static final String ITEM_PAGE = PAGE + '<' + ITEM + '>';
    static final String ITEM_DESCRIPTOR = 'L' + ITEM.replace('.', '/') + ';';

    enum Colour {
        RED,
        GREEN
    }

    static class Item implements Serializable {
        private static final long serialVersionUID = 1L;

        String name;
        long price;
        short count;
        Colour colour;
        Date made;
        BigDecimal weight;
        byte[] image;
        Set<Colour> colours;
        Item[] parts;
        List<Item> others;
        List<Long> numbers;
        Map<Integer, Item> byNumber;
        TreeMap<String, List<int[]>> tables;
        Object anything;
    }

    static final class Page<T> implements Serializable {
        private static final long serialVersionUID = 1L;

        List<T> entries;
        T first;
    }

    static final class SpecialItem extends Item {
        private static final long serialVersionUID = 1L;

        double discount;
    }

    static final ServiceDefinition SERVICE = new ServiceDefinition(
            List.of(
                    new MethodDefinition("put", List.of("java.lang.String", ITEM), "void"),
                    new MethodDefinition("list", List.of("java.util.List<" + ITEM + ">"), "void"),
                    new MethodDefinition("show", List.of(ITEM_PAGE), "void"),
                    new MethodDefinition("add", List.of("int", "int"), "int"),
                    new MethodDefinition("add", List.of("java.util.List<java.lang.Long>"), "long"),
                    new MethodDefinition("shorts", List.of("java.util.List<java.lang.Short>"), "int")),
            Map.of(
                    ITEM_PAGE,
                    new TypeDefinition(
                            ITEM_PAGE, List.of(), Map.of("entries", "java.util.List<" + ITEM + ">", "first", ITEM)),
                    COLOUR,
                    new TypeDefinition(COLOUR, List.of("RED", "GREEN"), Map.of()),
                    ITEM,
                    new TypeDefinition(ITEM, List.of(), itemFields()),
                    SPECIAL,
                    new TypeDefinition(SPECIAL, List.of(), specialFields())));

    private final ByteBuf in = Unpooled.buffer();
    final ByteBuf out = Unpooled.buffer();

    static Map<String, String> itemFields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("name", "java.lang.String");
        fields.put("price", "long");
        fields.put("count", "short");
        fields.put("colour", COLOUR);
        fields.put("made", "java.util.Date");
        fields.put("weight", "java.math.BigDecimal");
        fields.put("image", "byte[]");
        fields.put("colours", "java.util.Set<" + COLOUR + ">");
        fields.put("parts", ITEM + "[]");
        fields.put("others", "java.util.List<" + ITEM + ">");
        fields.put("numbers", "java.util.List<java.lang.Long>");
        fields.put("byNumber", "java.util.Map<java.lang.Integer, " + ITEM + ">");
        fields.put("tables", "java.util.TreeMap<java.lang.String,java.util.List<int[]>>");
        fields.put("anything", "java.lang.Object");
        return fields;
    }

    static Map<String, String> specialFields() {
        Map<String, String> fields = itemFields();
        fields.put("discount", "double");
        return fields;
    }

    boolean encode(String method, String descriptor, ServiceDefinition service, String arguments) throws CallException {
        in.clear().writeCharSequence(arguments, UTF_8);
        MethodName name = new MethodName("a.Shop", method, descriptor, "", "");
        DubboRequest request = DubboRequest.prepare(name, Serialization.HESSIAN2, service);
        return request.encode(
                out.clear(),
                7,
                false,
                new CallArguments().json(in, 0, in.writerIndex()).timeLeftMs(5000));
    }

    /** Returns the provider's reader after the names, of which the last two are given. */
    Hessian2Input provider(String method, String descriptor) throws Exception {
        Hessian2Input provider =
                HessianLite.reader(out.slice(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH));
        for (String expected : List.of("2.0.2", "a.Shop", "0.0.0", method, descriptor)) {
            assertThat(provider.readString()).isEqualTo(expected);
        }
        return provider;
    }

    void refused(Outcome outcome, String method, String descriptor, String arguments, String message) {
        assertThatThrownBy(() -> encode(method, descriptor, SERVICE, arguments))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(outcome))
                .hasMessage(message);
    }
}
