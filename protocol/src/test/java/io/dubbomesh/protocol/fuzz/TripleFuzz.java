package io.dubbomesh.protocol.fuzz;

import io.dubbomesh.protocol.Attachments;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.triple.TripleAnswer;
import io.dubbomesh.testsupport.random.FuzzedInput;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * A provider's answer by Triple: the first byte of the input chooses its form, the second its status; then come three
 * lines, the message of the status, its details and an attachment or the names with capitals, and the bytes of all DATA
 * frames.
 */
public final class TripleFuzz {
    private static final int MAX_DOCUMENT = 2 * DubboResponseReader.MAX_BRIEF;
    private static final int LINES = 3;
    private static final int STATUSES = 18;

    private TripleFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) throws CallException {
        if (input.length > 1) {
            FuzzedInput.check(allocator -> read(input, allocator));
        }
    }

    private static void read(byte[] input, ByteBufAllocator allocator) throws CallException {
        ByteBuf data = allocator.heapBuffer(input.length);
        ByteBuf out = allocator.heapBuffer();
        ByteBuf document = allocator.heapBuffer();
        try {
            read(input, data, out, document);
        } finally {
            data.release();
            out.release();
            document.release();
        }
    }

    private static void read(byte[] input, ByteBuf data, ByteBuf out, ByteBuf document) throws CallException {
        int choice = input[0];
        List<String> lines = new ArrayList<>();
        int at = 2;
        while (lines.size() < LINES) {
            int begin = at;
            while (at < input.length && input[at] != '\n') {
                at++;
            }
            lines.add(new String(input, begin, at - begin, ISO_8859_1));
            at = Math.min(at + 1, input.length);
        }
        data.writeBytes(input, at, input.length - at);

        List<Map.Entry<CharSequence, CharSequence>> headers = new ArrayList<>();
        add(headers, ":status", (choice & 1) == 0 ? "200" : "500");
        add(headers, "content-type", "application/grpc");
        if ((choice & 2) != 0) {
            add(headers, "tri-exception-code", "3");
        }
        List<Map.Entry<CharSequence, CharSequence>> trailers = (choice & 4) == 0 ? new ArrayList<>() : headers;
        add(trailers, "grpc-status", String.valueOf(input[1] % STATUSES));
        add(trailers, "grpc-message", lines.get(0));
        add(trailers, "grpc-status-details-bin", lines.get(1));
        add(trailers, "a", lines.get(2));
        add(trailers, "tri-header-convert", lines.get(2));

        Serialization requests = (choice & 8) == 0 ? Serialization.HESSIAN2 : Serialization.FASTJSON2;
        TripleAnswer answer = new TripleAnswer(requests);
        if ((choice & 0x10) == 0) {
            answer.write(out, 7, headers, trailers, data);
        } else {
            answer.writeMessage(out, 7, headers, trailers, data);
        }
        if (DubboHeader.bodyLength(out, 0) != out.writerIndex() - DubboHeader.LENGTH) {
            throw new AssertionError("not one frame");
        }
        ResultFormat format = ResultFormat.of(false, (choice & 0x20) != 0, (choice & 0x40) != 0);
        Outcome outcome = new DubboResponseReader(MAX_DOCUMENT, false, requests).read(out, 0, format, document);
        if (outcome == Outcome.NOT_EXECUTED) {
            throw new AssertionError("may have been executed");
        }
        int attachments = document.getUnsignedShort(0);
        Attachments.forEach(document, Short.BYTES, attachments, (block, key, keyLength, value, valueLength) -> {});
        JsonCheck.requireJson(document, Short.BYTES + attachments);
    }

    private static void add(List<Map.Entry<CharSequence, CharSequence>> fields, String name, String value) {
        fields.add(new SimpleEntry<>(name, value));
    }
}
