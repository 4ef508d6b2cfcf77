package io.dubbomesh.acceptance.failure;

import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the connections of clients: pipelines, parts, chunks, half-closes, resets. */
abstract class ClientConnections extends FailureTopic {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 64})
    void pipelinedRequestsAreAnsweredInOrder(int requests) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            all.append(Form.post(Form.hash("text " + i)));
        }
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(all.toString());
            for (int i = 0; i < requests; i++) {
                client.answer().assertHash("text " + i);
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrderWhateverTheOrderOfTheirResults() throws Exception {
        awaitStub(STUB);
        stub.forgetHeld();
        int executed = provider.executed();
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(Form.post(Form.call(STUB, "held", Form.STRING, "x"))
                    + HELLO
                    + Form.post("nonsense")
                    + Form.post(Form.call(STUB, "silent", Form.STRING, "x"), "X-Request-Timeout: 20")
                    + Form.post(Form.hash("")));
            Await.until("the results behind the first are there", () -> provider.executed() == executed + 2);
            stub.releaseNext();
            assertThat(client.answer().text()).isEqualTo("7");
            client.answer().assertHash("hello");
            client.answer().assertProblem(400, "BAD_REQUEST");
            client.answer().assertProblem(504, "TIMEOUT");
            client.answer().assertHash("");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 10, 64})
    void nothingIsParsedBehindABadRequest(int bad) throws Exception {
        StringBuilder all = new StringBuilder();
        for (int i = 1; i <= 64; i++) {
            all.append(i == bad ? "POST / HTTP/1.1\r\nContent-Length : 1\r\n\r\nx" : HELLO);
        }
        int before = provider.executed();
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(all.toString());
            for (int i = 1; i < bad; i++) {
                client.answer().assertHash("hello");
            }
            client.answer().assertProblem(400, "BAD_REQUEST");
            client.assertEnd();
        }
        assertThat(provider.executed() - before).as("calls executed").isEqualTo(bad - 1);
    }

    @Test
    void aRequestIsReadByteByByte() throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            for (char character : HELLO.toCharArray()) {
                client.send(String.valueOf(character));
            }
            client.answer().assertHash("hello");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 50, 1000})
    void chunksAreReadWhateverTheirSize(int size) throws Exception {
        String form = Form.hash("hello");
        StringBuilder body = new StringBuilder();
        for (int at = 0; at < form.length(); at += size) {
            String chunk = form.substring(at, Math.min(form.length(), at + size));
            body.append(Integer.toHexString(chunk.length()))
                    .append(size == 7 ? ";extension=\"quoted\"" : "")
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        String request = chunked(body + "0\r\n" + (size == 2 ? "X-Trailer: x\r\n" : "") + "\r\n");
        try (HttpSocket client = new HttpSocket(port)) {
            client.call(request).assertHash("hello");
            client.call(request).assertHash("hello");
        }
    }

    @Test
    void aBodyThatWaitsFor100ContinueIsInvited() throws Exception {
        String request = Form.post(Form.hash("hello"), "Expect: 100-continue");
        int body = request.indexOf("\r\n\r\n") + 4;
        try (HttpSocket client = new HttpSocket(port)) {
            assertThat(client.call(request.substring(0, body)).status()).isEqualTo(100);
            client.call(request.substring(body)).assertHash("hello");
        }
    }

    @Test
    void aBodyThatIsThereIsNotInvited() throws Exception {
        HttpSocket.once(port, Form.post(Form.hash("hello"), "Expect: 100-Continue"))
                .assertHash("hello");
    }

    @Test
    void aBodyThatIsTooLargeIsNotInvited() throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            client.call("POST / HTTP/1.1\r\n" + HOST + Form.CONTENT_TYPE
                            + "\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n")
                    .assertProblem(413, "TOO_LARGE");
            client.assertEnd();
        }
    }

    @Test
    void http10ConnectionsEndWithTheAnswerUnlessAskedToStay() throws Exception {
        String old = HELLO.replace("HTTP/1.1", "HTTP/1.0").replace(HOST, "");
        try (HttpSocket client = new HttpSocket(port)) {
            HttpAnswer answer = client.call(
                            old.replace(Form.CONTENT_TYPE, Form.CONTENT_TYPE + "\r\nConnection: keep-alive"))
                    .assertHash("hello");
            assertThat(answer.header("connection")).isEqualTo("keep-alive");
            assertThat(client.call(old).assertHash("hello").hasConnectionClose())
                    .isTrue();
            client.assertEnd();
        }
    }

    @Test
    void connectionCloseEndsTheConnectionWithTheAnswer() throws Exception {
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(Form.post(Form.hash("hello"), "connection: Close") + HELLO);
            assertThat(client.answer().assertHash("hello").hasConnectionClose()).isTrue();
            client.assertEnd();
        }
    }

    @Test
    void headersInAnyCaseAndFieldsInAnyOrderAreRead() throws Exception {
        String form = "parameter=hello&unknown=%C3%A4&parameterTypesString=Ljava/lang/String;&group=&method=hash"
                + "&&version=&interface=" + Form.SERVICE;
        HttpSocket.once(
                        port,
                        "POST / HTTP/1.1\r\nhOST:mesh\r\nCONTENT-TYPE:\t application/x-www-form-urlencoded \r\n"
                                + "cOnTeNt-LeNgTh:" + form.length() + "\r\n\r\n" + form)
                .assertHash("hello");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/?a=b", "http://mesh/", "http://mesh", "http://mesh:20000/?x"})
    void everyFormOfTheTargetIsRead(String target) throws Exception {
        HttpSocket.once(port, HELLO.replace("POST / ", "POST " + target + " ")).assertHash("hello");
    }

    @Test
    void attachmentsAndTracesDoNotDisturbACall() throws Exception {
        HttpSocket.once(
                        port,
                        Form.post(
                                Form.hash("hello"),
                                "X-Dubbo-Attachment-user: J%C3%BCrgen",
                                "X-Dubbo-Attachments: {\"a\":\"b\"}",
                                "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"))
                .assertHash("hello");
    }

    @Test
    void aHalfClosedConnectionIsStillAnswered() throws Exception {
        awaitStub(STUB);
        stub.forgetHeld();
        try (HttpSocket client = new HttpSocket(port)) {
            client.send(HELLO + Form.post(Form.call(STUB, "held", Form.STRING, "x")) + HELLO);
            client.endOutput();
            client.answer().assertHash("hello");
            // Answers on another connection show that the agent has had the time to read the end.
            assertAlive();
            stub.releaseNext();
            assertThat(client.answer().text()).isEqualTo("7");
            client.answer().assertHash("hello");
            client.assertEnd();
        }
    }

    @Test
    void resetConnectionsDoNotAffectOthers() throws Exception {
        awaitStub(STUB);
        for (int i = 0; i < 20; i++) {
            HttpSocket client = new HttpSocket(port);
            client.send(HELLO + Form.post(Form.call(STUB, "held", Form.STRING, "x")));
            if (i % 2 == 0) {
                client.answer().assertHash("hello");
            }
            client.closeByReset();
        }
        // Calls that were on their way when their connections were reset come behind the first.
        for (int i = 0; i < 10; i++) {
            stub.releaseAll();
            assertAlive();
            awaitStub(STUB);
        }
        stub.releaseAll();
    }
}
