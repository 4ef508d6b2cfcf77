package io.dubbomesh.consumer;

import io.dubbomesh.protocol.mesh.Flags;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ProviderPeer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that do not wait for the results of their calls of tools any more. */
class McpCancellationTest extends McpFixture {
    private static final String CALL = "{\"name\":\"add\",\"arguments\":{\"x\":1},\"_meta\":{\"progressToken\":\"p\"}}";

    private static String initialize(HttpSocket client, String... headers) throws Exception {
        return "Mcp-Session-Id: "
                + client.call(post(legacy("initialize", "{}"), headers)).header("mcp-session-id");
    }

    private static String cancel(String request, String... headers) {
        return post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" + request
                        + ",\"reason\":\"late\"}}",
                headers);
    }

    @Test
    void aCancelledCallIsAnsweredWithoutAResult() throws Exception {
        HttpSocket client = startWith();
        String session = initialize(client);

        client.send(post(legacy("tools/call", CALL), session));
        ProviderPeer.Received received = provider.nextRequest();
        HttpAnswer accepted = client().call(cancel("1", session));

        assertThat(accepted.status()).isEqualTo(202);
        HttpAnswer answer = client.answer();
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.text()).isEmpty();
        // The method was executed: its result comes too late.
        provider.answer(received, 0, Flags.JSON, "1");
        assertThat(client.call(post(legacy("ping", "{}"))).text()).contains("\"result\":{}");
        assertThat(scrape().sum("dubbomesh_consumer_tool_calls_total", "tool", "add"))
                .isZero();
    }

    @Test
    void aCallThatWasAnsweredCannotBeCancelled() throws Exception {
        HttpSocket client = startWith();
        String session = initialize(client);
        client.send(post(legacy("tools/call", CALL), session));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "1");
        assertThat(result(client.answer())).containsEntry("isError", false);

        assertThat(client.call(cancel("1", session)).status()).isEqualTo(202);

        client.send(post(legacy("tools/call", CALL), session));
        provider.answer(provider.nextRequest(), 0, Flags.JSON, "2");
        assertThat(result(client.answer())).containsEntry("isError", false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"'\"1\"'|S", "2|S", "{}|S", "null|S", "1|Mcp-Session-Id: forged", "1|X-Nothing: 1", "1|TWICE"})
    void whatNamesNoCallOfTheClientIsIgnored(String request, String header) throws Exception {
        HttpSocket client = startWith();
        String session = initialize(client);
        client.send(post(legacy("tools/call", CALL), session));
        ProviderPeer.Received received = provider.nextRequest();
        String[] headers = switch (header) {
            case "S" -> new String[] {session};
            case "TWICE" -> new String[] {session, session};
            default -> new String[] {header};
        };

        assertThat(client().call(cancel(request, headers)).status()).isEqualTo(202);

        provider.answer(received, 0, Flags.JSON, "1");
        assertThat(result(client.answer())).containsEntry("isError", false);
    }

    @Test
    void aCallOfAnotherCallerCannotBeCancelled() throws Exception {
        writeTokens();
        HttpSocket client = startWith(flat(with()));
        String session = initialize(client, ANA);
        client.send(post(legacy("tools/call", CALL), session, ANA));
        ProviderPeer.Received received = provider.nextRequest();

        assertThat(client().call(cancel("1", session, BO)).status()).isEqualTo(202);
        assertThat(client().call(cancel("1", session)).status()).isEqualTo(401);

        provider.answer(received, 0, Flags.JSON, "1");
        assertThat(result(client.answer())).containsEntry("isError", false);
    }

    /** The end of the connection is the cancellation, since revision 2026-07-28. */
    @Test
    void aCallWhoseClientHasLeftIsNotAnswered() throws Exception {
        HttpSocket client = startWith();
        client.send(toolCall("add", "{\"x\":1}"));
        ProviderPeer.Received received = provider.nextRequest();

        client.close();

        Await.until("the client's end", () -> scrape().sum("dubbomesh_consumer_requests_abandoned_total") > 0);
        provider.answer(received, 0, Flags.JSON, "1");
        assertThat(client().call(modern("ping", "")).status()).isEqualTo(200);
    }

    @Test
    void aCancellationOfTheNewestRevisionIsIgnored() throws Exception {
        HttpSocket client = startWith();
        client.send(toolCall("add", "{\"x\":1}"));
        ProviderPeer.Received received = provider.nextRequest();

        assertThat(client().call(cancel("\"i\"", VERSION, "Mcp-Method: notifications/cancelled"))
                        .status())
                .isEqualTo(202);

        provider.answer(received, 0, Flags.JSON, "1");
        assertThat(result(client.answer())).containsEntry("isError", false);
    }
}
