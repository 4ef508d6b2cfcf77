package io.dubbomesh.consumer;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.mesh.Flags;
import io.netty.buffer.ByteBuf;

/**
 * Finds in a request, be it a form or JSON, what it calls and with what. What it says is valid until the next {@link #read} and as long as
 * the request is. Owned by one event loop.
 */
final class CallReader {
    private static final int MAX_SHOWN = 64;

    private final Router router;
    private final FormRequest form;
    private final JsonRequest json = new JsonRequest();
    private boolean isForm;

    CallReader(Router router, int maxFormFields) {
        this.router = router;
        form = new FormRequest(maxFormFields);
    }

    /**
     * Tells the call its route and the flags of its REQUEST.
     *
     * @throws CallException if the request is malformed
     */
    void read(HttpCall call, HttpRequestParser request) throws CallException {
        RequestPath.Kind path = request.path().kind();
        isForm = path == RequestPath.Kind.ROOT;
        if (isForm) {
            form.parse(request.body(), request.bodyOffset(), request.bodyLength());
            call.route = router.find(form.names());
            call.flags = Flags.TEXT | request.callFlags();
            checkCount(call.route);
        } else {
            json.parse(request);
            call.route = router.find(json.names());
            call.flags = path == RequestPath.Kind.METHOD ? Flags.JSON | request.callFlags() : Flags.JSON;
        }
    }

    private void checkCount(Route route) throws CallException {
        if (form.parameterCount() == route.parameterCount) {
            return;
        }
        String descriptor = route.name.descriptor();
        if (route.parameterCount == Descriptors.MALFORMED) {
            String shown = descriptor.length() > MAX_SHOWN ? descriptor.substring(0, MAX_SHOWN) + "..." : descriptor;
            throw new CallException(
                    Outcome.BAD_REQUEST,
                    "parameterTypesString: \"" + shown + "\" (expected: JVM descriptors such as Ljava/lang/String;I)");
        }
        throw new CallException(
                Outcome.BAD_REQUEST,
                "parameter: " + form.parameterCount() + " of them (expected: " + route.parameterCount
                        + ", as in parameterTypesString)");
    }

    /**
     * Appends the arguments of the call that was read last, as its flags say.
     *
     * @throws CallException BAD_REQUEST if one is misspelt
     */
    void writeArguments(ByteBuf out) throws CallException {
        if (isForm) {
            form.writeArguments(out);
        } else {
            json.writeArguments(out);
        }
    }
}
