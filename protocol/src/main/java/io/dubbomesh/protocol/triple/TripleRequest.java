package io.dubbomesh.protocol.triple;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.request.Invocation;
import io.dubbomesh.protocol.request.RequestFormat;
import io.dubbomesh.protocol.type.TypeNames;
import io.dubbomesh.protocol.value.ArgumentBounds;
import io.dubbomesh.protocol.value.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Requests of Triple: the header fields of a gRPC call in HPACK, and its one message, which holds each argument as a
 * stream of values of its own (Dubbo's {@code TripleRequestWrapper}). Both are written without HTTP/2's frames, which
 * the connection puts in front of them:
 * <pre>
 * +-----------------------+-----------------------+
 * |  Block Length (32)    |  Header Block ...     |   see {@link HeaderBlock}
 * +-----------------------+----+------------------+
 * |  Message Length (32)  |  0 |  Length (32)     |   gRPC's prefix: not compressed
 * +-----------------------+----+------------------+
 * |  0x0a Length  serialization                   |
 * |  0x12 Length  argument          for each      |   Length: varint, in its shortest form
 * |  0x1a Length  parameter type    for each      |
 * +-----------------------------------------------+
 * </pre>
 * A method that takes a message of protobuf has that message in place of the wrapper. A call that is not answered is
 * not told from another one.
 */
public final class TripleRequest implements RequestFormat {
    /** The bytes in front of the header block. */
    public static final int BLOCK_OFFSET = Integer.BYTES;

    private static final String CONTENT_TYPE = "application/grpc+proto";
    private static final List<String> INVOKE_TYPES =
            List.of("java.lang.String", "[Ljava.lang.String;", "[Ljava.lang.Object;");
    /** Dubbo 3.0 reads arguments in Hessian without a declared type: only by these it makes arrays of lists. */
    private static final String TEXTS = "[java.lang.String";

    private static final String OBJECTS = "[java.lang.Object";
    /** Beside letters and digits, what stands in a path as it is (RFC 3986, section 3.3). */
    private static final String PATH_CHARACTERS = "-._~!$&'()*+,;=:@";

    private static final byte[] NOTHING = {};
    private static final byte[] TE = ascii("te");
    private static final byte[] TRAILERS = ascii("trailers");
    private static final byte[] VERSION = ascii("tri-service-version");
    private static final byte[] GROUP = ascii("tri-service-group");
    private static final byte[] GENERIC = ascii("generic");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] TOKEN = ascii("token");
    private static final byte[] GRPC_TIMEOUT = ascii("grpc-timeout");
    private static final byte[] TIMEOUT = ascii("timeout");
    /** The time left, which Dubbo's client sends as {@code _TO} where it is not in a header field. */
    private static final byte[] TIME_LEFT = ascii("_to");
    /** The number of a timeout has eight digits at most. */
    private static final long MAX_TIMEOUT = 99_999_999;

    private static final long MS_PER_S = 1000;

    private static final int SERIALIZATION_FIELD = 0x0a;
    private static final int ARGUMENT_FIELD = 0x12;
    private static final int TYPE_FIELD = 0x1a;
    private static final int PREFIX_LENGTH = 1 + Integer.BYTES;

    private final Invocation invocation;
    private final boolean isHessian;
    private final ValueWriter writer;
    private final Argument argument = new Argument();
    /** The header fields that are the same for all calls. */
    private final byte[] fields;
    /** The message's fields in front of the arguments, and behind them. */
    private final byte[] prefix;

    private final byte[] suffix;
    private final UnknownMethod unknown;

    /** Makes a field of each argument. */
    private final class Argument implements ArgumentBounds {
        private ByteBuf out;
        private int begin;

        @Override
        public void begin() {
            out.writeByte(ARGUMENT_FIELD);
            out.writeByte(0);
            begin = out.writerIndex();
            writer.reset(out);
        }

        @Override
        public void end() {
            Protobuf.setLength(out, begin);
        }
    }

    private TripleRequest(
            MethodName name,
            Invocation invocation,
            ExportedAs exported,
            Serialization serialization,
            String authority,
            boolean isSecure) {
        this.invocation = invocation;
        isHessian = serialization == Serialization.HESSIAN2;
        writer = serialization.newWriter();
        String service = service(name, exported);
        String method = method(name, invocation);
        unknown = new UnknownMethod(service, method);
        fields = fields(name, invocation, exported, authority, isSecure, '/' + service + '/' + method);
        boolean isMessage = invocation.message() != null;
        prefix = isMessage ? NOTHING : prefix(name, serialization);
        suffix = isMessage ? NOTHING : suffix();
    }

    /**
     * Returns the format of requests to one provider.
     *
     * @param authority the provider's host and port, as URLs have it
     * @param isSecure  whether the connection has TLS
     */
    public static RequestFormat.Factory to(String authority, boolean isSecure, Serialization serialization) {
        return new ToProvider(authority, isSecure, serialization, true);
    }

    /** Returns the same for a provider of Dubbo 3.0, which does not read arguments by the types of the method. */
    public static RequestFormat.Factory toDubbo30(String authority, boolean isSecure, Serialization serialization) {
        return new ToProvider(authority, isSecure, serialization, false);
    }

    private record ToProvider(
            String authority, boolean isSecure, Serialization serialization, boolean readsDeclaredTypes)
            implements Factory {
        @Override
        public RequestFormat of(MethodName name, Invocation invocation, ExportedAs exported) {
            return new TripleRequest(name, invocation, exported, serialization, authority, isSecure);
        }

        @Override
        public boolean isTriple() {
            return true;
        }

        @Override
        public boolean takesMessages() {
            return true;
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(US_ASCII);
    }

    private static byte[] fields(
            MethodName name,
            Invocation invocation,
            ExportedAs exported,
            String authority,
            boolean isSecure,
            String path) {
        ByteBuf out = Unpooled.buffer();
        HeaderBlock.indexed(out, HeaderBlock.METHOD_POST);
        HeaderBlock.indexed(out, isSecure ? HeaderBlock.SCHEME_HTTPS : HeaderBlock.SCHEME_HTTP);
        HeaderBlock.field(out, HeaderBlock.AUTHORITY, HeaderBlock.bytes(authority));
        HeaderBlock.field(out, HeaderBlock.PATH, ascii(path));
        HeaderBlock.field(out, TE, TRAILERS);
        HeaderBlock.field(out, HeaderBlock.CONTENT_TYPE, ascii(CONTENT_TYPE));
        if (!name.version().isEmpty()) {
            HeaderBlock.field(out, VERSION, HeaderBlock.bytes(name.version()));
        }
        if (!name.group().isEmpty()) {
            HeaderBlock.field(out, GROUP, HeaderBlock.bytes(name.group()));
        }
        if (invocation.generic()) {
            HeaderBlock.field(out, GENERIC, TRUE);
        }
        if (exported.token() != null) {
            HeaderBlock.secret(out, TOKEN, HeaderBlock.bytes(exported.token()));
        }
        return ByteBufUtil.getBytes(out);
    }

    /** A slash in a name would make another service of it; only the path of an export may have some. */
    private static String service(MethodName name, ExportedAs exported) {
        return exported.path() == null ? encoded(name.service(), "") : encoded(exported.path(), "/");
    }

    private static String method(MethodName name, Invocation invocation) {
        String method = invocation.message() == null
                ? name.method()
                : invocation.message().name();
        return encoded(invocation.generic() ? Invocation.INVOKE : method, "");
    }

    private static String encoded(String name, String others) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            boolean isPlain = b >= 'a' && b <= 'z'
                    || b >= 'A' && b <= 'Z'
                    || b >= '0' && b <= '9'
                    || b > 0 && (PATH_CHARACTERS.indexOf(b) >= 0 || others.indexOf(b) >= 0);
            encoded.append(isPlain ? String.valueOf((char) b) : String.format("%%%02X", b));
        }
        return encoded.toString();
    }

    private byte[] prefix(MethodName name, Serialization serialization) {
        ByteBuf out = Unpooled.buffer();
        argument.out = out;
        Protobuf.writeText(out, SERIALIZATION_FIELD, TripleSerialization.name(serialization));
        if (invocation.generic()) {
            argument.begin();
            writer.writeString(name.method());
            argument.end();
            argument.begin();
            invocation.writeTypes(writer, isHessian ? TEXTS : null);
            argument.end();
        }
        return ByteBufUtil.getBytes(out);
    }

    private byte[] suffix() {
        ByteBuf out = Unpooled.buffer();
        List<String> types = invocation.generic() ? INVOKE_TYPES : TypeNames.classNames(invocation.descriptor());
        types.forEach(type -> Protobuf.writeText(out, TYPE_FIELD, type));
        return ByteBufUtil.getBytes(out);
    }

    @Override
    public void write(ByteBuf out, long requestId, boolean oneWay, CallArguments call) throws CallException {
        int begin = out.writerIndex();
        boolean written = false;
        try {
            out.writeInt(0);
            writeFields(out, call);
            out.setInt(begin, out.writerIndex() - begin - BLOCK_OFFSET);
            int message = out.writerIndex();
            // The lengths of the message with and without its prefix, and in front of the latter that it is not
            // compressed.
            out.writeZero(Integer.BYTES + PREFIX_LENGTH);
            out.writeBytes(prefix);
            writeArguments(out, call);
            out.writeBytes(suffix);
            int length = out.writerIndex() - message - Integer.BYTES;
            out.setInt(message, length);
            out.setInt(message + Integer.BYTES + 1, length - PREFIX_LENGTH);
            written = true;
        } finally {
            if (!written) {
                out.writerIndex(begin);
            }
        }
    }

    private void writeFields(ByteBuf out, CallArguments call) throws CallException {
        out.writeBytes(fields);
        if (call.timeLeftMs() > 0) {
            writeTimeLeft(out, call.timeLeftMs());
        }
        if (call.attachmentsLength() > 0) {
            CallerFields.write(out, call.buffer(), call.attachmentsOffset(), call.attachmentsLength());
        }
    }

    private static void writeTimeLeft(ByteBuf out, long timeLeftMs) {
        if (timeLeftMs <= MAX_TIMEOUT) {
            HeaderBlock.field(out, GRPC_TIMEOUT, timeLeftMs, 'm');
        } else {
            HeaderBlock.field(out, GRPC_TIMEOUT, Math.min(timeLeftMs / MS_PER_S, MAX_TIMEOUT), 'S');
        }
        // Providers give these to the calls that the method makes itself.
        HeaderBlock.field(out, TIMEOUT, timeLeftMs, 0);
        HeaderBlock.field(out, TIME_LEFT, timeLeftMs, 0);
    }

    private void writeArguments(ByteBuf out, CallArguments call) throws CallException {
        argument.out = out;
        if (invocation.message() != null) {
            invocation.writeMessage(out, call);
        } else if (invocation.generic()) {
            argument.begin();
            invocation.writeList(writer, isHessian ? OBJECTS : null, call);
            argument.end();
        } else {
            invocation.writeArguments(writer, argument, call);
        }
    }

    @Override
    public void checkArguments(ByteBuf scratch, CallArguments call) throws CallException {
        writeArguments(scratch.clear(), call);
    }

    @Override
    public boolean isUnknownMethod(ByteBuf in, int offset) {
        return unknown.isMeant(in, offset);
    }
}
