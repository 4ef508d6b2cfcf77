package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.runtime.AgentRole;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

import static org.assertj.core.api.Assertions.assertThat;

class DocumentSenderTest {
    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final DocumentSender sender = new DocumentSender(response, turns::add);
    private final byte[] content = new byte[3 * DocumentSender.PIECE + 1];
    private final Document large;

    DocumentSenderTest() throws IOException {
        new Random(1).nextBytes(content);
        try (Document.Output out = new Document.Output(0)) {
            out.write(content);
            large = out.document();
        }
    }

    @AfterEach
    void close() {
        response.close();
    }

    private void turn() {
        List<Runnable> tasks = new ArrayList<>(turns);
        turns.clear();
        tasks.forEach(Runnable::run);
    }

    private void turns() {
        while (!turns.isEmpty()) {
            turn();
        }
    }

    @Test
    void aSmallDocumentIsOneResponse() {
        Client client = new Client();
        sender.send(new Document(new byte[] {1, 2, 3}, false, 3), client);

        assertThat(client.received.toByteArray()).containsExactly(1, 2, 3);
        assertThat(client.pieces).isZero();
        assertThat(turns).isEmpty();
    }

    @Test
    void theHeadAloneHasTheLengthOfTheDocument() {
        Client client = new Client();
        client.isHeadOnly = true;
        sender.send(large, client);

        assertThat(client.outcome).isEqualTo(Outcome.OK);
        assertThat(client.length).isEqualTo(content.length);
        assertThat(client.pieces).isZero();
    }

    /** Each word is an event; what is behind it is how many pieces have come, and whether the response has ended. */
    @ParameterizedTest
    @CsvSource({
        "100, send 0 - turn 1 - turn 2 - turn 3 - turn 4 OK turn 4 OK",
        "1, send 0 - turn 1 - turn 1 - resume 1 - turn 2 - resume 2 - turn 3 - resume 3 - turn 4 OK",
        "2, send 0 - turn 1 - turn 2 - turn 2 - resume 2 - resume 2 - turn 3 - turn 4 OK",
        "100, send 0 - leave 0 - turn 0 -",
        "100, send 0 - turn 1 - leave 1 - turn 1 - turn 1 -",
        "1, send 0 - turn 1 - leave 1 - turn 1 -",
    })
    void aPieceIsSentInATurnIfTheClientTakesIt(int window, String events) {
        Client client = new Client();
        client.window = window;
        String[] words = events.split(" ");
        for (int i = 0; i < words.length; i += 3) {
            switch (words[i]) {
                case "send" -> sender.send(large, client);
                case "turn" -> turn();
                case "resume" -> client.resume();
                default -> client.leave();
            }
            assertThat(client.pieces + " " + (client.outcome == null ? "-" : client.outcome))
                    .as("after %d words", i + 1)
                    .isEqualTo(words[i + 1] + ' ' + words[i + 2]);
        }
        if (client.outcome != null) {
            assertThat(client.received.toByteArray()).isEqualTo(content);
        }
    }

    @Test
    void fewAreSentAtATimeAndTheOthersFollow() {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < DocumentSender.AT_ONCE + 3; i++) {
            Client client = new Client();
            client.window = 100;
            clients.add(client);
            sender.send(large, client);
        }
        turn();
        assertThat(clients.stream().filter(client -> client.pieces == 1)).hasSize(DocumentSender.AT_ONCE);

        // One that waits and one that is being sent.
        clients.get(DocumentSender.AT_ONCE).leave();
        clients.get(0).leave();
        turn();
        turn();
        assertThat(clients.get(DocumentSender.AT_ONCE + 1).pieces).isEqualTo(1);
        assertThat(clients.get(DocumentSender.AT_ONCE + 2).pieces).isZero();

        turns();
        assertThat(clients.get(DocumentSender.AT_ONCE + 2).received.toByteArray())
                .isEqualTo(content);
    }

    @Test
    void clientsThatTakeNothingKeepNoOthersWaitingAndAreBounded() {
        List<Client> blocked = new ArrayList<>();
        for (int i = 0; i < DocumentSender.MAX_OPEN - 1; i++) {
            Client client = new Client();
            client.window = 1;
            blocked.add(client);
            sender.send(large, client);
        }
        turns();
        Client reader = new Client();
        reader.window = 100;
        sender.send(large, reader);
        Client tooMany = new Client();
        sender.send(large, tooMany);
        turns();

        assertThat(blocked).allMatch(client -> client.pieces == 1);
        assertThat(reader.received.toByteArray()).isEqualTo(content);
        assertThat(tooMany.outcome).isEqualTo(Outcome.OVERLOADED);

        blocked.get(0).leave();
        blocked.get(1).window = 100;
        blocked.get(1).resume();
        turns();
        assertThat(blocked.get(1).received.toByteArray()).isEqualTo(content);
    }
}
