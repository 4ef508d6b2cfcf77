package io.dubbomesh.consumer.call;

/** The paths of the HTTP port, for messages: an answer to an unknown path lists all of them. */
public final class CallPaths {
    public static final String ALL =
            "GET and POST /, GET /openapi.json, GET /{interface}, GET and POST /{interface}/{method};"
                    + " metrics, health and the admin interface are at admin.port";

    private CallPaths() {}
}
