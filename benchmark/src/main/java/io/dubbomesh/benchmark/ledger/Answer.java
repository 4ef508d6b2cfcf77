package io.dubbomesh.benchmark.ledger;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

import static java.nio.charset.StandardCharsets.UTF_8;

/** An answer of the consumer agent, whose bodies always have a length. */
record Answer(int status, String body, boolean last) {

    static Answer read(InputStream in) throws IOException {
        int status = Integer.parseInt(line(in).split(" ")[1]);
        int length = 0;
        boolean last = false;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            String header = line.toLowerCase(Locale.ROOT);
            if (header.startsWith("content-length:")) {
                length = Integer.parseInt(
                        header.substring(header.indexOf(':') + 1).strip());
            }
            last |= header.startsWith("connection:") && header.endsWith("close");
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("end after " + body.length + " of " + length + " bytes of the body");
        }
        return new Answer(status, new String(body, UTF_8), last);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("end within the head");
            }
            line.append((char) next);
        }
        return line.toString().strip();
    }
}
