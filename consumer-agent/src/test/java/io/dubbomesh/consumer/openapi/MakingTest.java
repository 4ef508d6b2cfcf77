package io.dubbomesh.consumer.openapi;

import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.runtime.AgentRole;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** A document of two services, of which one must be described if each is needed. */
class MakingTest implements Making.Listener {
    private static final Document DOCUMENT = new Document(new byte[1], false, 1);

    private final Response response = new Response("docs/errors.md", AgentRole.CONSUMER);
    private final Deque<Runnable> turns = new ArrayDeque<>();
    private final Deque<Description> asked = new ArrayDeque<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<String> ends = new ArrayList<>();
    private Collection<Described> services;
    private Consumer<Document> made;
    private boolean isMakerFull;
    private long nowNs;

    @AfterEach
    void close() {
        response.close();
    }

    private static DocumentKey key(boolean isEachNeeded, String... services) {
        return new DocumentKey(
                List.of(services).stream()
                        .map(service -> new MethodName(service, MethodName.DESCRIBE, "", "", ""))
                        .toList(),
                isEachNeeded,
                SchemaForms.CANONICAL);
    }

    private void ask(MethodName service, int timeoutMs, Description answer, long askedNs) throws CallException {
        asked.add(answer);
    }

    private boolean make(DocumentKey key, Collection<Described> of, Consumer<Document> listener) {
        services = List.copyOf(of);
        made = listener;
        return !isMakerFull;
    }

    @Override
    public void made(Document document, List<Responder> waiting) {
        assertThat(document).isSameAs(DOCUMENT);
        ends.add("made:" + waiting.size());
    }

    @Override
    public void failed(Outcome outcome, String reason, List<Responder> waiting) {
        assertThat(reason).isNotEmpty();
        ends.add(outcome + ":" + waiting.size());
    }

    @Override
    public void abandoned() {
        ends.add("abandoned");
    }

    private Client client() {
        Client client = new Client();
        clients.add(client);
        return client;
    }

    private Making making(DocumentKey key) {
        return new Making(key, client(), this::ask, this::make, turns::add, () -> nowNs, this);
    }

    private void turn() {
        List<Runnable> tasks = new ArrayList<>(turns);
        turns.clear();
        tasks.forEach(Runnable::run);
    }

    private void event(Making making, DocumentKey key, String event) {
        switch (event) {
            case "turn" -> turn();
            case "join" -> assertThat(making.join(key, client())).isTrue();
            case "joinOther" ->
                assertThat(making.join(key(key.isEachNeeded(), "a.C"), new Client()))
                        .isFalse();
            case "leave" -> clients.remove(0).leave();
            case "described" ->
                asked.remove()
                        .respond(response.set(
                                Outcome.OK, Response.Content.JSON, Unpooled.copiedBuffer("{}", UTF_8), 0, 0, 2));
            case "unknown" -> asked.remove().respond(response.problem(Outcome.NOT_FOUND, "none"));
            case "late" -> nowNs += TimeUnit.MILLISECONDS.toNanos(Making.DEADLINE_MS);
            case "full" -> isMakerFull = true;
            case "make" -> made.accept(DOCUMENT);
            case "fail" -> made.accept(null);
            default -> throw new IllegalArgumentException(event);
        }
    }

    /** The words are events; what is behind them is the phase, and how the listener was told. */
    @ParameterizedTest
    @CsvSource({
        "turn, ASKING, ''",
        "turn join joinOther described, ASKING, ''",
        "turn described described, ASKING, ''",
        "turn described described turn, MAKING, ''",
        "turn described described turn join joinOther make, MAKING, ''",
        "turn described described turn join make turn, ENDED, made:2",
        "turn described described turn fail turn, ENDED, INTERNAL_ERROR:1",
        "full turn described described turn, ENDED, OVERLOADED:1",
        "turn described unknown turn make turn, ENDED, made:1",
        "turn unknown unknown turn make turn, ENDED, made:1",
        "late turn make turn, ENDED, made:1",
        "turn leave, ENDED, abandoned",
        "turn leave described described turn, ENDED, abandoned",
        "turn join leave described described turn make turn, ENDED, made:1",
        "turn described described turn leave, MAKING, ''",
        "turn described described turn leave make turn, ENDED, made:0",
        "turn described described turn leave fail turn, ENDED, INTERNAL_ERROR:0",
    })
    void aDocumentIsMadeWhenTheServicesHaveDescribedThemselves(String events, String phase, String end) {
        run(false, events, phase, end);
    }

    @ParameterizedTest
    @CsvSource({
        "turn described unknown, ASKING, ''",
        "turn described unknown turn, ENDED, NOT_FOUND:1",
        "turn join unknown described turn, ENDED, NOT_FOUND:2",
        "late turn, ENDED, TIMEOUT:1",
        "turn described described turn make turn, ENDED, made:1",
    })
    void aServiceThatIsAskedForByNameMustBeDescribed(String events, String phase, String end) {
        run(true, events, phase, end);
    }

    private void run(boolean isEachNeeded, String events, String phase, String end) {
        DocumentKey key = key(isEachNeeded, "a.A", "a.B");
        Making making = making(key);
        for (String event : events.split(" ")) {
            event(making, key, event);
        }
        assertThat(making.phase()).hasToString(phase);
        assertThat(ends).isEqualTo(end.isEmpty() ? List.of() : List.of(end));
    }

    /** A service that is late or is not known is told in the document, with the reason. */
    @Test
    void theDocumentIsMadeOfAllServicesInOrder() {
        DocumentKey key = key(false, "a.A", "a.B");
        Making making = making(key);
        turn();
        event(making, key, "unknown");
        event(making, key, "described");
        turn();

        assertThat(services.stream().map(service -> service.name().service())).containsExactly("a.A", "a.B");
        assertThat(services.stream().map(Described::outcome)).containsExactly(Outcome.NOT_FOUND, Outcome.OK);
    }

    @Test
    void thereIsABoundOfThoseWhoWait() {
        DocumentKey key = key(false, "a.A");
        Making making = making(key);
        for (int i = 1; i < Making.MAX_WAITING; i++) {
            assertThat(making.join(key, client())).isTrue();
        }

        assertThat(making.join(key, new Client())).isFalse();
        event(making, key, "leave");
        assertThat(making.join(key, client())).isTrue();
    }
}
