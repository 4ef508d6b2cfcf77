package io.dubbomesh.transport.loop;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SocketFailure;

import java.io.IOException;
import java.net.InetSocketAddress;

/** An address that cannot be listened on; the message names it and the reason. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1L;

    ListenException(InetSocketAddress address, Throwable cause) {
        super(HostPort.of(address) + ": " + SocketFailure.reason(cause), cause);
    }
}
