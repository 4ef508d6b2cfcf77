package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.text.PercentText;
import io.dubbomesh.consumer.text.Words;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Quoted;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The names in a request's target, with the header fields that complete them, copied as they are spelled into one
 * buffer. A target without a method asks for the service's metadata.
 */
final class TargetNames extends SpelledNames {
    private static final int QUERY = 5;
    private static final int COUNT = 6;
    private static final String QUERY_VERSION = "version";
    private static final String QUERY_GROUP = "group";
    private static final int MAX_FIELD = 64;
    /** The character in front of a header's value, so that an empty one is not taken for none. */
    private static final char PRESENT = ':';

    private final ByteBuf gathered = Unpooled.buffer(256);

    TargetNames() {
        super(COUNT);
        in = gathered;
    }

    /** @param method whether a method is called; else the service is described */
    void gather(ByteBuf target, CallTarget path, CallHeaders headers, boolean method) {
        gathered.clear();
        add(INTERFACE, target, path.serviceOffset(), path.serviceLength());
        // Without a method its offset is behind the target's end, where there may be no byte.
        add(METHOD, target, method ? path.methodOffset() : path.pathEnd(), method ? path.methodLength() : 0);
        addHeader(DESCRIPTOR, method ? headers.parameterTypes() : null);
        addHeader(VERSION, headers.version());
        addHeader(GROUP, headers.group());
        add(QUERY, target, path.pathEnd(), target.writerIndex() - path.pathEnd());
    }

    private void addHeader(int field, ByteBuf value) {
        if (value == null) {
            add(field, gathered, 0, 0);
            return;
        }
        gathered.writeByte(PRESENT);
        add(field, value, 0, value.writerIndex());
        offsets[field]--;
        lengths[field]++;
    }

    private void add(int field, ByteBuf from, int offset, int length) {
        offsets[field] = gathered.writerIndex();
        lengths[field] = length;
        gathered.writeBytes(from, offset, length);
    }

    @Override
    MethodName decode() throws CallException {
        String service = decoded(in, offsets[INTERFACE], lengths[INTERFACE], '%', "path: interface");
        String version = agreed(QUERY_VERSION, VERSION, "X-Dubbo-Version");
        String group = agreed(QUERY_GROUP, GROUP, "X-Dubbo-Group");
        requireKnownFields();
        if (lengths[METHOD] == 0) {
            return new MethodName(service, MethodName.DESCRIBE, "", version, group);
        }
        String method = decoded(in, offsets[METHOD], lengths[METHOD], '%', "path: method");
        return new MethodName(service, method, descriptor(), version, group);
    }

    private String descriptor() throws CallException {
        String types = header(DESCRIPTOR, "X-Dubbo-Parameter-Types");
        if (types == null) {
            return MethodName.UNKNOWN_TYPES;
        }
        String descriptor = ParameterTypes.descriptor(types);
        requireSendable(descriptor.length(), "X-Dubbo-Parameter-Types");
        return descriptor;
    }

    /**
     * Returns the value of the query and the header, which must be the same where both have it; empty if neither has
     * it.
     */
    private String agreed(String queryField, int headerField, String headerName) throws CallException {
        String inQuery = noneIfNoVersion(inQuery(queryField), headerField);
        String inHeader = noneIfNoVersion(header(headerField, headerName), headerField);
        if (inQuery != null && inHeader != null && !inQuery.equals(inHeader)) {
            throw bad(queryField + ": \"" + inQuery + "\" in the query (expected: \"" + inHeader + "\", as in "
                    + headerName + ')');
        }
        return inQuery != null ? inQuery : inHeader != null ? inHeader : "";
    }

    private static String noneIfNoVersion(String value, int field) {
        return field == VERSION && MethodName.NO_VERSION.equals(value) ? "" : value;
    }

    /** Returns null if the header is absent. */
    private String header(int field, String name) throws CallException {
        int length = lengths[field];
        return length == 0 ? null : plain(in, offsets[field] + 1, length - 1, name);
    }

    /** Refuses fields that are not read: such a field is a mistake of the client, who would not learn of it. */
    private void requireKnownFields() throws CallException {
        int end = offsets[QUERY] + lengths[QUERY];
        for (int at = offsets[QUERY] + 1; at < end; ) {
            int fieldEnd = Words.firstOf(in, at, end, '&', '&');
            int nameEnd = Words.firstOf(in, at, fieldEnd, '=', '=');
            boolean isKnown = at == fieldEnd || isName(at, nameEnd, QUERY_VERSION) || isName(at, nameEnd, QUERY_GROUP);
            if (!isKnown) {
                String name = in.toString(at, Math.min(nameEnd - at, MAX_FIELD), ISO_8859_1);
                throw bad("query: unknown field " + Quoted.text(name)
                        + " (expected: version or group; the types of parameters are in X-Dubbo-Parameter-Types)");
            }
            at = fieldEnd + 1;
        }
    }

    /** Returns null if the field is absent. */
    private String inQuery(String name) throws CallException {
        String found = null;
        int end = offsets[QUERY] + lengths[QUERY];
        // The first of them is behind the question mark, which is where an ampersand would be.
        for (int at = offsets[QUERY] + 1; at < end; ) {
            int fieldEnd = Words.firstOf(in, at, end, '&', '&');
            int nameEnd = Words.firstOf(in, at, fieldEnd, '=', '=');
            if (isName(at, nameEnd, name)) {
                if (found != null) {
                    throw bad("query: " + name + " is given twice");
                }
                int value = Math.min(nameEnd + 1, fieldEnd);
                found = decoded(in, value, fieldEnd - value, '+', "query: " + name);
            }
            at = fieldEnd + 1;
        }
        return found;
    }

    private boolean isName(int at, int end, String name) {
        ByteBuf decoded = Unpooled.buffer(end - at);
        return PercentText.decode(in, at, end, decoded, '+') == PercentText.FINE
                && decoded.toString(UTF_8).equals(name);
    }
}
