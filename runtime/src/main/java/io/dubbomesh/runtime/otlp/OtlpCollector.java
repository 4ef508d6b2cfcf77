package io.dubbomesh.runtime.otlp;

import io.dubbomesh.runtime.protobuf.ProtobufBuffer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;

/**
 * A collector of OpenTelemetry, at one address for one signal. The connection to it is kept for the next request as
 * long as it answers well.
 */
public final class OtlpCollector {
    private static final int TIMEOUT_MS = 10_000;

    private final URI uri;

    public OtlpCollector(URI uri) {
        this.uri = uri;
    }

    /**
     * Sends an export request and waits for the answer.
     *
     * @throws IOException if it was not taken
     */
    public void post(ProtobufBuffer request) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MS);
        connection.setReadTimeout(TIMEOUT_MS);
        connection.setRequestMethod("POST");
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(request.length());
        connection.setRequestProperty("Content-Type", "application/x-protobuf");
        boolean taken = false;
        try {
            try (OutputStream out = connection.getOutputStream()) {
                out.write(request.array(), request.offset(), request.length());
            }
            int status = connection.getResponseCode();
            if (status / 100 != 2) {
                throw new IOException("answered " + status);
            }
            // Read to its end, a connection can be used again.
            try (InputStream in = connection.getInputStream()) {
                in.readAllBytes();
            }
            taken = true;
        } finally {
            if (!taken) {
                connection.disconnect();
            }
        }
    }

    @Override
    public String toString() {
        return uri.toString();
    }
}
