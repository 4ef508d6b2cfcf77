package io.dubbomesh.contest;

import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.util.Headers;
import io.undertow.util.SameThreadExecutor;
import io.undertow.util.StatusCodes;
import org.asynchttpclient.AsyncHttpClient;
import org.asynchttpclient.Dsl;
import org.asynchttpclient.ListenableFuture;
import org.asynchttpclient.Request;
import org.asynchttpclient.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.ExecutionException;

/**
 * Calls {@code hash} through the agent with a random text and answers 200 if the result is the text's hash, otherwise
 * 500. A request begins and ends on Undertow's workers, as with Spring; none of them waits for the agent.
 */
final class InvokeHandler implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger(InvokeHandler.class);
    private static final String SERVICE = "com.alibaba.dubbo.performance.demo.provider.IHelloService";

    private final RandomText texts = new RandomText();
    private final AsyncHttpClient client;
    private final String agentUrl;

    InvokeHandler(AsyncHttpClient client, String agentUrl) {
        this.client = client;
        this.agentUrl = agentUrl;
    }

    @Override
    public void handleRequest(HttpServerExchange exchange) {
        if (exchange.isInIoThread()) {
            exchange.dispatch(this);
            return;
        }
        // Another thread may answer only after the handler has returned.
        exchange.dispatch(SameThreadExecutor.INSTANCE, () -> call(exchange, texts.next()));
    }

    private void call(HttpServerExchange exchange, String text) {
        Request request = Dsl.post(agentUrl)
                .addFormParam("interface", SERVICE)
                .addFormParam("method", "hash")
                .addFormParam("parameterTypesString", "Ljava/lang/String;")
                .addFormParam("parameter", text)
                .build();
        ListenableFuture<Response> response = client.executeRequest(request);
        String expected = String.valueOf(text.hashCode());
        response.addListener(
                () -> answer(exchange, isRight(response, expected)),
                exchange.getConnection().getWorker());
    }

    /**
     * Returns whether the response is right. Where the consumer of 2018 printed a message and never answered, this one
     * answers 500.
     */
    private static boolean isRight(ListenableFuture<Response> response, String expected) {
        try {
            return response.get().getResponseBody().equals(expected);
        } catch (ExecutionException e) {
            log.warn("the agent did not answer: {}", e.getCause().toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    private static void answer(HttpServerExchange exchange, boolean right) {
        exchange.setStatusCode(right ? StatusCodes.OK : StatusCodes.INTERNAL_SERVER_ERROR);
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, "text/plain;charset=UTF-8");
        exchange.getResponseSender().send(right ? "OK" : "ERROR");
    }
}
