package io.dubbomesh.consumer.call;

/** Which paths there are, for messages: who asks for another one, or for one by mistake, reads all of them. */
public final class CallPaths {
    public static final String ALL = "POST /, GET /{interface} and POST /{interface}/{method};"
            + " metrics, health and the admin interface are at admin.port";

    private CallPaths() {}
}
