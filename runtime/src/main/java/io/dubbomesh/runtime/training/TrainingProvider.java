package io.dubbomesh.runtime.training;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Stands in for a Dubbo provider of one method: reads frames of Dubbo 2 (a header of 16 bytes, whose last four are the
 * length of the body) and answers each call of the method with a number, by Hessian 2.
 */
final class TrainingProvider extends TrainingServer {
    static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";
    static final String METHOD = "hash";

    private static final int HEADER_LENGTH = 16;
    private static final short MAGIC = (short) 0xdabb;
    private static final int REQUEST = 0x80;
    private static final int TWO_WAY = 0x40;
    private static final int EVENT = 0x20;
    private static final byte HESSIAN2 = 2;

    private static final byte OK = 20;
    private static final byte BAD_REQUEST = 40;

    /** A value follows, and it is an int of four bytes. */
    private static final byte[] RESULT = {(byte) 0x91, 'I', 0, 1, 2, 3};

    private static final byte[] NULL = {'N'};
    private static final byte[] REFUSAL = "\16no such method".getBytes(ISO_8859_1);

    private TrainingProvider() throws IOException {}

    static TrainingProvider start() throws IOException {
        TrainingProvider provider = new TrainingProvider();
        provider.listen();
        return provider;
    }

    @Override
    void serve(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            in.readShort();
            int flags = in.readUnsignedByte();
            in.readByte();
            long id = in.readLong();
            byte[] body = new byte[in.readInt()];
            in.readFully(body);
            if ((flags & REQUEST) == 0 || (flags & TWO_WAY) == 0) {
                continue;
            }
            if ((flags & EVENT) != 0) {
                answer(out, (byte) (HESSIAN2 | EVENT), OK, id, NULL);
            } else if (isCall(new String(body, ISO_8859_1))) {
                answer(out, HESSIAN2, OK, id, RESULT);
            } else {
                answer(out, HESSIAN2, BAD_REQUEST, id, REFUSAL);
            }
        }
    }

    private static boolean isCall(String body) {
        return body.contains(SERVICE) && body.contains(METHOD);
    }

    private static void answer(DataOutputStream out, byte flags, byte status, long id, byte[] body) throws IOException {
        out.write(ByteBuffer.allocate(HEADER_LENGTH + body.length)
                .putShort(MAGIC)
                .put(flags)
                .put(status)
                .putLong(id)
                .putInt(body.length)
                .put(body)
                .array());
    }
}
