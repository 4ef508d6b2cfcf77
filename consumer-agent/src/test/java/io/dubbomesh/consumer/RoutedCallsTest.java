package io.dubbomesh.consumer;

import io.dubbomesh.runtime.json.Json;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.ScriptedProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Calls of Dubbo providers under the rules of their registry: the first two without a tag, the third with one. */
class RoutedCallsTest extends AgentTest {
    private static final String SERVICE = "a.B";
    private static final String TAG_RULE = "greeter.tag-router";
    private static final String CONDITIONS = "a.B::.condition-router";
    private static final String TAGGED = "dubbo.tag=canary&timestamp=1";

    private final String name = UUID.randomUUID().toString();
    private final ScriptedRegistry.Content registry = ScriptedRegistry.content(name);
    private final List<ScriptedProvider> providers = new ArrayList<>();

    @BeforeEach
    void register() throws Exception {
        for (int number = 1; number <= 3; number++) {
            int answer = number;
            ScriptedProvider provider =
                    opened(new ScriptedProvider()).serve((connection, call) -> connection.answerInt(call.id(), answer));
            providers.add(provider);
            registry.register(SERVICE, provider.port(), number == 3 ? TAGGED : "timestamp=1");
        }
    }

    private void start(String... settings) throws Exception {
        Map<String, String> all = new HashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        all.put("dubbo.inquiry", "false");
        all.put("lb.slow-start", "0 s");
        all.put("links.warm", "");
        startWithRegistry(all, "scripted://" + name);
    }

    private String address(int number) {
        return "127.0.0.1:" + providers.get(number - 1).port();
    }

    /** Returns the providers that answer such calls. */
    private static Set<String> answering(HttpSocket client, String... headers) throws IOException {
        return answeringMethod(client, "m", headers);
    }

    private static Set<String> answeringMethod(HttpSocket client, String method, String... headers) throws IOException {
        Set<String> answers = new TreeSet<>();
        for (int i = 0; i < 6; i++) {
            String[] all = Arrays.copyOf(headers, headers.length + 1);
            all[headers.length] = "X-Dubbo-Parameter-Types: int";
            HttpAnswer answer = client.call(Requests.json("/a.B/" + method, "[1]", all));
            answers.add(answer.status() == 200 ? answer.text() : answer.status() + " " + answer.text());
        }
        return answers;
    }

    private static String tag(String tag) {
        return "X-Dubbo-Attachment-dubbo.tag: " + tag;
    }

    @Test
    void callsGoToTheProvidersOfTheirTag() throws Exception {
        start();
        HttpSocket client = client();
        assertThat(answering(client)).containsExactly("1", "2");
        assertThat(answering(client, tag("canary"))).containsExactly("3");
        assertThat(answering(client, tag("unknown"))).containsExactly("1", "2");
        assertThat(answering(client, "X-Dubbo-Attachment-user: ann")).containsExactly("1", "2");
        assertThat(answering(client, tag("unknown"), "X-Dubbo-Attachment-dubbo.force.tag: true"))
                .allSatisfy(answer -> assertThat(answer)
                        .startsWith("503 ")
                        .contains("NO_PROVIDER")
                        .contains("the routing rules leave none: no provider has the tag of the call"));
    }

    @Test
    void theAgentMayHaveATagForAllCalls() throws Exception {
        start("routing.tag", "canary", "routing.force-tag", "true");
        HttpSocket client = client();
        assertThat(answering(client)).containsExactly("3");
        registry.unregister(SERVICE, providers.get(2).port(), TAGGED);
        Await.until(
                "the canary is gone", () -> answering(client).iterator().next().startsWith("503"));
    }

    @Test
    void aTagRuleIsObeyedAsItComesAndGoes() throws Exception {
        start();
        HttpSocket client = client();
        assertThat(answering(client, tag("blue"))).containsExactly("1", "2");
        registry.put(TAG_RULE, "force: true\ntags:\n- {name: blue, addresses: ['" + address(2) + "']}");
        Await.until("the rule holds", () -> answering(client, tag("blue")).equals(Set.of("2")));
        assertThat(answering(client)).containsExactly("1");
        assertThat(answering(client, tag("canary"))).containsExactly("3");

        registry.unregister(SERVICE, providers.get(1).port(), "timestamp=1");
        Await.until(
                "no provider is left",
                () -> answering(client, tag("blue")).stream()
                        .allMatch(answer ->
                                answer.contains("no provider has the tag \\\"blue\\\" by greeter.tag-router")));
        registry.remove(TAG_RULE);
        Await.until("the rule is gone", () -> answering(client, tag("blue")).equals(Set.of("1")));
    }

    @Test
    void conditionsTellMethodsAndAttachmentsApart() throws Exception {
        start();
        HttpSocket client = client();
        assertThat(answeringMethod(client, "find")).containsExactly("1", "2");
        assertThat(answeringMethod(client, "save")).containsExactly("1", "2");
        registry.put(
                CONDITIONS,
                "force: true\nconditions:\n- method=find* => address=" + address(1)
                        + "\n- method=delete =>\n- attachments[user]=ann => address=" + address(2) + "\n");
        Await.until("the rule holds", () -> answeringMethod(client, "find").equals(Set.of("1")));
        Await.until(
                "the others are connected",
                () -> answeringMethod(client, "save").equals(Set.of("1", "2")));
        assertThat(answeringMethod(client, "save", "X-Dubbo-Attachment-user: ann"))
                .containsExactly("2");
        assertThat(answeringMethod(client, "save", "X-Dubbo-Attachment-user: bob"))
                .containsExactly("1", "2");
        assertThat(answeringMethod(client, "delete"))
                .allSatisfy(answer -> assertThat(answer)
                        .startsWith("503 ")
                        .contains("the condition \\\"method=delete =>\\\" of a.B::.condition-router"));

        registry.remove(CONDITIONS);
        Await.until("the rule is gone", () -> answeringMethod(client, "find").equals(Set.of("1", "2")));
        Await.until("the rule is gone", () -> answeringMethod(client, "delete").equals(Set.of("1", "2")));
    }

    @Test
    void aForbiddenAgentIsRefused() throws Exception {
        start("routing.host", "192.0.2.9", "routing.application", "shop");
        HttpSocket client = client();
        registry.put(CONDITIONS, "conditions: ['host=192.0.2.9 & application=shop =>']");
        Await.until("the rule holds", () -> answering(client).iterator().next().startsWith("503"));
        registry.put(CONDITIONS, "conditions: ['host=192.0.2.8 =>']");
        Await.until("another is forbidden", () -> answering(client).equals(Set.of("1", "2")));
    }

    @Test
    void operatorsSeeTheRulesAndWhatIsNotObeyed() throws Exception {
        start();
        registry.put(CONDITIONS, "conditions: ['=> host=127.0.0.1']");
        registry.put(CONDITIONS, "conditions: ['arguments[0]=1 => host=127.0.0.1']");
        registry.put("greeter.script-router", "script: x");
        URI state = URI.create("http://127.0.0.1:" + adminPort() + "/api/v1/state");
        Map<?, ?> document =
                (Map<?, ?>) Json.read(new String(state.toURL().openStream().readAllBytes(), UTF_8));
        assertThat(new ArrayList<Object>((List<?>) document.get("rules")))
                .containsExactly(
                        Map.of(
                                "key",
                                CONDITIONS,
                                "inForce",
                                true,
                                "problem",
                                "condition arguments[0]=1 => host=127.0.0.1: arguments[0] is not supported there"),
                        Map.of("key", "greeter.script-router", "inForce", false, "problem", "scripts are not run"));
    }
}
