package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.Closeable;
import java.io.IOException;

/** Makes calls one after the other, over one connection for as long as it lasts. */
final class CallClient implements Closeable {
    private final int port;
    private HttpSocket socket;

    CallClient(int port) {
        this.port = port;
    }

    HttpAnswer answer(String request) throws IOException {
        if (socket == null) {
            socket = new HttpSocket(port);
        }
        HttpAnswer answer = socket.call(request);
        if (answer.hasConnectionClose()) {
            close();
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
