package io.dubbomesh.acceptance.mesh;

import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.Hex;
import io.dubbomesh.testsupport.Ports;
import io.dubbomesh.testsupport.ScriptedProvider;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A Dubbo provider that fails on order: the method's name selects the failure.
 * <ul>
 *   <li>{@code hash}: the answer is 7, at once; {@code held}: the same when the test releases it
 *   <li>{@code silent}: there is no answer
 *   <li>{@code die}: the connection is closed; {@code garbage}: the answer is not a frame
 *   <li>{@code throwing}: the service throws an exception
 *   <li>{@code status31} and so on: the answer has this status and a text
 * </ul>
 */
public final class MisbehavingProvider implements Closeable {
    private static final int SERVICE_NOT_FOUND = 60;
    private static final String ECHO = "$echo";
    /** Type 1, a value: the int 7. */
    private static final String SEVEN = "91 97";
    /** Type 0, an exception: an IllegalStateException whose one field is its message. */
    private static final String EXCEPTION = "90 43" + DubboFrame.string("java.lang.IllegalStateException") + "91"
            + DubboFrame.string("detailMessage") + "60" + DubboFrame.string("no\r\nway");

    private final BlockingQueue<HeldCall> held = new LinkedBlockingQueue<>();
    private final ScriptedProvider provider = new ScriptedProvider(Ports.free());

    private record HeldCall(DubboConnection connection, long id) {
        void answer() throws IOException {
            connection.answer(id, DubboFrame.OK, SEVEN);
        }
    }

    public MisbehavingProvider() throws IOException {
        provider.serve(this::execute);
    }

    public int port() {
        return provider.port();
    }

    /** Calls of clients that have arrived, answered or not. */
    public int executed() {
        return (int) provider.calls().stream()
                .filter(call -> !call.method().equals(ECHO))
                .count();
    }

    /** Forgets the held calls that have come, whose clients or connections may be gone. */
    public void forgetHeld() {
        held.clear();
    }

    /** Answers the held call that came first, waiting for one if there is none. */
    public void releaseNext() throws Exception {
        Await.next(held, "a call of held comes").answer();
    }

    /** Answers all held calls that have come. */
    public void releaseAll() throws IOException {
        for (HeldCall call = held.poll(); call != null; call = held.poll()) {
            call.answer();
        }
    }

    private void execute(DubboConnection connection, DubboFrame call) throws IOException {
        String method = call.method();
        switch (method) {
            case "hash" -> connection.answer(call.id(), DubboFrame.OK, SEVEN);
            case "held" -> held.add(new HeldCall(connection, call.id()));
            case "silent" -> {}
            case "die" -> connection.close();
            case "garbage" -> connection.send(Hex.text("this is not a Dubbo frame at all"));
            // What the agent asks a provider before it registers it: nothing is known here.
            case ECHO -> connection.answer(call.id(), SERVICE_NOT_FOUND, DubboFrame.string("the stub tells nothing"));
            case "throwing" -> connection.answer(call.id(), DubboFrame.OK, EXCEPTION);
            default -> {
                int status = Integer.parseInt(method.substring("status".length()));
                connection.answer(call.id(), status, DubboFrame.string("the stub says " + status));
            }
        }
    }

    @Override
    public void close() throws IOException {
        provider.close();
    }
}
