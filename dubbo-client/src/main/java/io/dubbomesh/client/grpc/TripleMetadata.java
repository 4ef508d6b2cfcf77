package io.dubbomesh.client.grpc;

import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianWriter;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.runtime.protobuf.ProtobufBuffer;
import io.dubbomesh.runtime.protobuf.ProtobufReader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Asks an instance by Triple what its application exports: the service {@code MetadataService} of Dubbo 3.0 to 3.2,
 * whose values are in hessian2 within messages of protobuf, or {@code MetadataServiceV2} of 3.3, of protobuf alone.
 * Either answer comes out as Dubbo's {@code MetadataInfo} in JSON.
 *
 * @param application the group of both
 */
public record TripleMetadata(BlockingGrpcConnection connection, String application) {
    private static final String PACKAGE = "/org.apache.dubbo.metadata.";
    /** The version of {@code MetadataServiceV2}. */
    public static final String VERSION_2 = "2.0.0";

    private static final String WRAPPED = "application/grpc+proto";
    private static final String GRPC = "application/grpc";
    private static final String HESSIAN2 = "hessian2";
    private static final String NOTHING = "null";
    private static final int STATUS_OK = 20;
    private static final int RESPONSE_VALUE = 1;
    private static final int SCRATCH = 256;

    /** @return null if it does not have this revision, or not any more */
    public String ask(String version, String revision) throws IOException {
        try {
            return version.equals(VERSION_2) ? askSecond(revision) : askFirst(version, revision);
        } catch (ProtobufReader.Malformed e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Map<String, String> fields(String version) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("tri-service-version", version);
        fields.put("tri-service-group", application);
        return fields;
    }

    /**
     * <pre>
     *   TripleRequestWrapper {string serializeType = 1; repeated bytes args = 2; repeated string argTypes = 3;}
     *   TripleResponseWrapper {string serializeType = 1; bytes data = 2; string type = 3;}
     * </pre>
     */
    private String askFirst(String version, String revision) throws IOException {
        ByteBuf argument = Unpooled.buffer();
        new HessianWriter().reset(argument).writeString(revision);
        ProtobufBuffer request = new ProtobufBuffer(SCRATCH);
        request.textField(3, "java.lang.String");
        request.bytesField(2, ByteBufUtil.getBytes(argument));
        request.textField(1, HESSIAN2);
        byte[] answer =
                connection.call(PACKAGE + "MetadataService/getMetadataInfo", WRAPPED, fields(version), bytes(request));
        ProtobufReader message = new ProtobufReader(answer);
        String serialization = HESSIAN2;
        byte[] value = {};
        while (message.next()) {
            switch (message.field()) {
                case 1 -> serialization = message.text();
                case 2 -> value = message.bytes();
                default -> message.skip();
            }
        }
        if (!serialization.equals(HESSIAN2)) {
            throw new IOException("an answer in " + PrintableText.brief(serialization) + " (expected: hessian2)");
        }
        return value.length == 0 ? null : json(value);
    }

    /** Reads a value of hessian2 as that of a response of Dubbo 2. */
    private static String json(byte[] value) throws IOException {
        ByteBuf frame = Unpooled.buffer();
        DubboHeader.write(frame, Serialization.HESSIAN2.id(), STATUS_OK, 0, 1 + value.length);
        new HessianWriter().reset(frame).writeInt(RESPONSE_VALUE);
        frame.writeBytes(value);
        ByteBuf document = Unpooled.buffer();
        Outcome outcome = new DubboResponseReader().read(frame, 0, ResultFormat.of(true, false, false), document);
        document.skipBytes(Short.BYTES + document.getUnsignedShort(0));
        String text = document.toString(UTF_8);
        if (outcome != Outcome.OK) {
            throw new IOException(PrintableText.brief(text));
        }
        return text.isEmpty() || text.equals(NOTHING) ? null : text;
    }

    /**
     * <pre>
     *   MetadataRequest {string revision = 1;}
     *   MetadataInfoV2 {string app = 1; string version = 2; map services = 3;}
     * </pre>
     */
    private String askSecond(String revision) throws IOException {
        ProtobufBuffer request = new ProtobufBuffer(SCRATCH);
        request.textField(1, revision);
        byte[] answer =
                connection.call(PACKAGE + "MetadataServiceV2/GetMetadataInfo", GRPC, fields(VERSION_2), bytes(request));
        if (answer.length == 0) {
            return null;
        }
        ProtobufReader message = new ProtobufReader(answer);
        Map<String, Object> services = new LinkedHashMap<>();
        Map<String, Object> metadata = new LinkedHashMap<>();
        while (message.next()) {
            switch (message.field()) {
                case 1 -> metadata.put("app", message.text());
                case 2 -> metadata.put("revision", message.text());
                case 3 -> putEntry(message.message(), services);
                default -> message.skip();
            }
        }
        metadata.put("services", services);
        return Json.write(metadata);
    }

    private static void putEntry(ProtobufReader entry, Map<String, Object> services) {
        String key = "";
        Map<String, Object> service = Map.of();
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> key = entry.text();
                case 2 -> service = service(entry.message());
                default -> entry.skip();
            }
        }
        services.put(key, service);
    }

    private static Map<String, Object> service(ProtobufReader message) {
        Map<String, Object> service = new HashMap<>();
        Map<String, String> parameters = new LinkedHashMap<>();
        while (message.next()) {
            switch (message.field()) {
                case 1 -> service.put("name", message.text());
                case 2 -> service.put("group", message.text());
                case 3 -> service.put("version", message.text());
                case 4 -> service.put("protocol", message.text());
                case 5 -> service.put("port", message.varint());
                case 6 -> service.put("path", message.text());
                case 7 -> putParameter(message.message(), parameters);
                default -> message.skip();
            }
        }
        service.put("params", parameters);
        return service;
    }

    private static void putParameter(ProtobufReader entry, Map<String, String> parameters) {
        String name = "";
        String value = "";
        while (entry.next()) {
            switch (entry.field()) {
                case 1 -> name = entry.text();
                case 2 -> value = entry.text();
                default -> entry.skip();
            }
        }
        parameters.put(name, value);
    }

    private static byte[] bytes(ProtobufBuffer message) {
        byte[] bytes = new byte[message.length()];
        System.arraycopy(message.array(), message.offset(), bytes, 0, bytes.length);
        return bytes;
    }
}
