package io.dubbomesh.acceptance.operation;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Browser;
import io.dubbomesh.acceptance.mesh.Dubbo;
import io.dubbomesh.acceptance.mesh.Form;
import io.dubbomesh.acceptance.mesh.Jvm;
import io.dubbomesh.acceptance.mesh.LivePage;
import io.dubbomesh.acceptance.mesh.Load;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.testsupport.Await;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.testsupport.process.CompletedProcess;
import io.dubbomesh.testsupport.process.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the admin port in a real browser, beside a mesh under load: three provider agents weighted 1, 2, 3. With
 * {@code -Dimages=DIR} it leaves the pictures of the documents there, with plots of five minutes.
 */
@Timeout(120)
class LivePageTest {
    private static final String SHOP = "io.dubbomesh.demo.shop.Shop";
    private static final int CLIENTS = 5;

    private static final Path IMAGES =
            System.getProperty("images") == null ? null : Path.of(System.getProperty("images"));
    private static final Duration FOR_IMAGES = Duration.ofMinutes(5);

    private static Mesh mesh;
    private static String registry;
    private static Agent consumerAgent;
    private static final List<Agent> PROVIDER_AGENTS = new ArrayList<>();
    private static Load load;
    private static Browser browser;
    private static LivePage page;

    @BeforeAll
    static void start() throws Exception {
        mesh = Mesh.named("LivePageTest");
        registry = mesh.etcd().uri();
        Dubbo provider = mesh.provider(Jvm.DUBBO, "provider", Map.of("delay.ms", "50"));
        provider.awaitListening();
        for (int i = 0; i < 3; i++) {
            PROVIDER_AGENTS.add(mesh.providerAgent(
                    "provider-agent-" + i,
                    provider.port(),
                    registry,
                    Map.of(
                            "lb.weight",
                            Integer.toString(i + 1),
                            "zone",
                            "north-" + i,
                            "dubbo.services",
                            Form.SERVICE + "," + SHOP + "," + SHOP + ":2.0.0:blue",
                            "dubbo.api.jars",
                            Path.of("../..", "testing", "demo", "api", "target", "classes")
                                    .toString())));
        }
        consumerAgent = mesh.consumerAgent("consumer-agent", registry, Map.of("request.timeout", "30 s"));
        for (Agent agent : PROVIDER_AGENTS) {
            agent.awaitReady();
        }
        consumerAgent.awaitReady();
        Load.warmUp(consumerAgent.port());
        load = Load.start(consumerAgent.port(), CLIENTS);
        browser = new Browser();
        page = new LivePage(browser);
        if (IMAGES != null) {
            Thread.sleep(FOR_IMAGES.toMillis());
        }
    }

    @AfterAll
    static void end() throws Exception {
        if (browser != null) {
            browser.close();
        }
        load.stop();
        mesh.end();
    }

    @BeforeEach
    void openPage() throws Exception {
        browser.size(1280, 900, false);
        browser.dark(false);
        browser.open("http://127.0.0.1:" + consumerAgent.adminPort() + "/");
        awaitText("#verdict", "All is well: 3 of 3 endpoints take calls.");
        awaitShares(17, 33, 50);
    }

    @AfterEach
    void thePageComplainsOfNothing() {
        assertThat(browser.complaints()).isEmpty();
    }

    private static String id(int agent) {
        return "127.0.0.1:" + PROVIDER_AGENTS.get(agent).port();
    }

    private static void awaitText(String selector, String text) throws Exception {
        page.awaitText(selector, text);
    }

    private static void awaitShares(int... percent) throws Exception {
        page.awaitShares(List.of(id(0), id(1), id(2)), percent);
    }

    private static void picture(String name) throws IOException {
        browser.screenshot((IMAGES == null ? mesh.directory() : IMAGES).resolve(name + ".png"));
    }

    @Test
    void threeEndpointsHaveTheSharesOfTheirWeights() throws Exception {
        Await.untilAsserted(
                LivePage.TO_SHOW,
                () -> assertThat(browser.text("#tile-p50 span")).matches("[0-9]+"));

        assertThat(browser.text("#title")).isEqualTo("Consumer agent 127.0.0.1:" + consumerAgent.port());
        assertThat(browser.title()).startsWith("● all is well");
        assertThat(browser.all("#picture .node.is-ok")).hasSize(6);
        Await.untilAsserted(
                LivePage.TO_SHOW,
                () -> assertThat(Double.parseDouble(browser.text("#tile-calls span")))
                        .isBetween(2.0 * CLIENTS, 20.0 * CLIENTS));
        assertThat(browser.text("#methods-table")).contains("IHelloService.hash");
        for (int i = 0; i < 3; i++) {
            WebElement row = browser.find("[data-endpoint='" + id(i) + "']");
            Await.untilAsserted(
                    LivePage.TO_SHOW, () -> assertThat(row.getText()).containsPattern("(?s)[5-9][0-9] ms.*[0-9] ms"));
            assertThat(row.getText()).contains("zone north-" + i);
            assertThat(row.findElement(By.tagName("a")).getAttribute("href"))
                    .isEqualTo("http://127.0.0.1:" + (PROVIDER_AGENTS.get(i).port() + 1) + "/");
        }
        List<Double> widths = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            widths.add(((Number) browser.run(
                            "return parseFloat([...document.querySelectorAll('.line')].find(line =>"
                                    + " line.dataset.key.startsWith(arguments[0]) && line.dataset.key.endsWith(arguments[1])).style.strokeWidth)",
                            "s\u0000" + Form.SERVICE,
                            id(i)))
                    .doubleValue());
        }
        assertThat(widths.get(1) / widths.get(0)).isBetween(1.6, 2.4);
        assertThat(widths.get(2) / widths.get(0)).isBetween(2.4, 3.6);
        browser.size(1280, 1160, false);
        page.awaitDrawn();
        picture("page");
    }

    @Test
    void eachEndpointHasItsLoadItsLatencyAndTheShareOfItsWeight() throws Exception {
        assertThat(browser.text("#endpoints-note")).startsWith("Strategy weighted-round-robin. ");
        int[] byWeight = {17, 33, 50};
        for (int i = 0; i < 3; i++) {
            String row = "[data-endpoint='" + id(i) + "'] ";
            awaitText(row + ".by-weight", byWeight[i] + " % by weight");
            Await.untilAsserted(
                    LivePage.TO_SHOW,
                    () -> assertThat(browser.text(row + "[data-cell='load']")).matches("[0-9.]+"));
            assertThat(browser.text(row + "[data-cell='latency']")).matches("[0-9]+ ms");
        }
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
    }

    @Test
    void aWeightIsChangedAndUndoneByTheKeyboard() throws Exception {
        WebElement weight = browser.find("[data-endpoint='" + id(2) + "'] input");
        weight.sendKeys(Keys.chord(Keys.CONTROL, "a"), "0", Keys.ENTER);
        awaitText("#changes", "Weight of " + id(2) + ": 3 → 0");
        awaitShares(33, 67, 0);
        // The page asks for the state of the endpoints half as often as for the counts.
        awaitText("[data-endpoint='" + id(2) + "'] .state", "no new calls");

        tabTo("Undo");
        browser.focused().sendKeys(Keys.ENTER);

        awaitShares(17, 33, 50);
        awaitText("#changes", "Weight of " + id(2) + ": 0 → 3");
    }

    /** Presses the tab key until the button with this text has the keyboard. */
    private static void tabTo(String text) {
        for (int i = 0; i < 100 && !browser.focused().getText().equals(text); i++) {
            browser.focused().sendKeys(Keys.TAB);
        }
        assertThat(browser.focused().getText()).isEqualTo(text);
    }

    @Test
    void anAgentIsDrainedAfterAQuestionAndTheDrainIsUndone() throws Exception {
        browser.find("#drain").click();
        browser.find("#dialog-no").click();
        assertThat(consumerAgent.isReady()).isTrue();

        browser.find("#drain").click();
        browser.find("#dialog-yes").click();
        awaitText("#verdict", "This agent drains");
        assertThat(consumerAgent.isReady()).isFalse();

        browser.find(".undo").click();
        awaitText("#verdict", "All is well");
        assertThat(consumerAgent.isReady()).isTrue();
        // Its clients were told to close their connections.
        load.stop();
        load = Load.start(consumerAgent.port(), CLIENTS);
    }

    @Test
    void whatWasDoneIsNotSaidAnyMoreWhenItIsNotTrueAnyMore() throws Exception {
        try {
            browser.find("#drain").click();
            browser.find("#dialog-yes").click();
            awaitText("#changes", "This agent drains.");
            awaitText("#drain", "Take calls again");
            browser.find("#drain").click();
            awaitText("#changes", "This agent takes calls again.");
            assertThat(browser.text("#changes")).doesNotContain("This agent drains.");
            assertThat(browser.all(".undo")).isEmpty();

            awaitText("#drain", "Drain");
            browser.find("#drain").click();
            browser.find("#dialog-yes").click();
            awaitText("#verdict", "This agent drains");
            assertThat(browser.all(".undo")).hasSize(1);
            // The request of meshctl drain --undo.
            browser.run(
                    "fetch('/api/v1/drain', { method: 'DELETE', headers: { 'Content-Type': 'application/json' } })");
            Await.untilAsserted(
                    LivePage.TO_SHOW, () -> assertThat(browser.text("#changes")).doesNotContain("This agent drains."));
            awaitText("#verdict", "All is well");
        } finally {
            // Its clients were told to close their connections.
            load.stop();
            load = Load.start(consumerAgent.port(), CLIENTS);
        }
    }

    @Test
    void anApplicationThatCallsIsShownByItsUserAgent() throws Exception {
        String name = "shop/1.0 <img src=x onerror=document.title='run'>";
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            client.call(HttpSocket.request("GET /" + SHOP, "", "User-Agent: " + name));
        }

        awaitText("#callers-table", name);
        assertThat(browser.text("#callers-table")).contains("User-Agent", "127.0.0.1");
        assertThat(browser.all("main img")).isEmpty();
    }

    @Test
    void anAnswerIsShownAsItCame() throws Exception {
        browser.find("#try-title").click();
        browser.find("#call-service option[value='" + SHOP + "']").click();
        awaitText("#call-note", "io.dubbomesh.demo.shop.Receipt buy(io.dubbomesh.demo.shop.Order)");
        writeJson("[" + order(2) + "]");
        browser.find("#call-button").click();
        awaitText("#call-answer", "status 200");
        assertThat(browser.text("#call-answer pre")).contains("\"total\": 7.00");

        String body = "{\"b\":[7.00,1e3,-0,12345678901234567890],\"2\":\"\\u00e9 {,:}\\\"\",\"1\":{},\"2\":[ ]}";
        browser.run("const ask = fetch; window.fetch = (...a) => a[0] === '/api/v1/call'"
                + " ? Promise.resolve(new Response(JSON.stringify({ status: 200, durationMs: 1, body: '"
                + body.replace("\\", "\\\\") + "' }))) : ask(...a)");
        browser.find("#call-button").click();
        awaitText("#call-answer", "1e3");
        assertThat(browser.text("#call-answer pre")).isEqualTo("""
                {
                  "b": [
                    7.00,
                    1e3,
                    -0,
                    12345678901234567890
                  ],
                  "2": "\\u00e9 {,:}\\"",
                  "1": {},
                  "2": []
                }""");
    }

    /** Waits for the form of the chosen method, and writes its arguments in JSON instead. */
    private static void writeJson(String arguments) throws Exception {
        awaitForm();
        browser.find("#call-as-json").click();
        browser.run("document.getElementById('call-arguments').value = arguments[0]", arguments);
    }

    private static void awaitForm() throws Exception {
        Await.until(LivePage.TO_SHOW, "a form", () -> browser.find("#call-as").isDisplayed());
    }

    private static String order(int quantity) {
        return "{\"item\":\"tea\",\"quantity\":" + quantity
                + ",\"price\":3.50,\"delivery\":\"POST\",\"day\":\"2026-11-27\"}";
    }

    @Test
    void exceptionsOfAServiceAreNoFaultOfTheMesh() throws Exception {
        String request =
                HttpSocket.request("POST /" + SHOP + "/buy", "[" + order(11) + "]", "Content-Type: application/json");
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            Await.untilAsserted(LivePage.TO_SHOW, () -> {
                for (int i = 0; i < 20; i++) {
                    client.call(request).assertProblem(500, "SERVICE_EXCEPTION");
                }
                assertThat(browser.text("#verdict .aside")).contains("Shop.buy throws exceptions of its own");
                assertThat(browser.text("#tile-failed")).contains("%");
            });
        }
        assertThat(browser.text("#verdict strong")).startsWith("All is well");
        assertThat(browser.title()).startsWith("● all is well");
        assertThat(browser.all("#tile-failed.is-bad, #tile-failed.is-warn")).isEmpty();
    }

    @Test
    void aFailureIsOfTheMeshIfAnOperatorCanMendIt() {
        Set<String> notOfTheMesh = Set.of("SERVICE_EXCEPTION", "NOT_IMPLEMENTED", "VERSION_NOT_SUPPORTED");
        List<String> ofTheMesh = Arrays.stream(Outcome.values())
                .filter(each -> each.httpStatus() >= 500 && !notOfTheMesh.contains(each.code()))
                .map(Outcome::code)
                .toList();

        Object codes = browser.run("return [...MESH_CODES]");
        assertThat((List<?>) codes).map(String::valueOf).containsExactlyInAnyOrderElementsOf(ofTheMesh);
    }

    @Test
    void aServiceOfEndpointsThatNoAgentCanCallIsAProblem() {
        Object found = browser.run("""
                const { endpoints, services } = mesh;
                const triple = { ...endpoints[0], id: '192.0.2.7:50051', alive: false, idle: false, aliveLoops: 0,
                  notCallable: 'Triple only, cannot be called yet' };
                try {
                  Object.assign(mesh, { endpoints: [triple], services: [{ service: 'a.OnlyTriple', endpoints: [triple.id], variants: [] }] });
                  return problems().slice(0, 2).map(each => each.kind + ': ' + each.text);
                } finally {
                  Object.assign(mesh, { endpoints, services });
                }
                """);

        assertThat(found)
                .isEqualTo(List.of(
                        "bad: No endpoint takes calls of OnlyTriple: 1 is registered.",
                        "warn: Endpoint 192.0.2.7:50051: Triple only, cannot be called yet."));
    }

    @Test
    void failuresOfOneKindAreOneLineAndCanBeSearched() throws Exception {
        try (HttpSocket client = new HttpSocket(consumerAgent.port())) {
            for (int i = 0; i < 22; i++) {
                client.call(HttpSocket.request("POST /" + SHOP + "/none" + i, "[]", "Content-Type: application/json"))
                        .assertProblem(404, "METHOD_NOT_FOUND");
            }
        }
        awaitText("#failures-table", "404 METHOD_NOT_FOUND");
        phone(false);
        assertThat((Long) browser.run("return document.getElementById('failures').offsetHeight"))
                .isLessThan(844);
        assertThat((Long) browser.run("return document.getElementById('try-title').getBoundingClientRect().top"
                        + " - document.body.getBoundingClientRect().top | 0"))
                .isLessThan(844);

        browser.find("#failures-find").sendKeys("none21");
        Await.untilAsserted(LivePage.TO_SHOW, () -> {
            assertThat(browser.all("#failures-table .kind[open]")).hasSize(1);
            assertThat(browser.all("#failures-table .kind[open] tbody tr")).hasSize(1);
        });
        assertThat(browser.text("#failures-table tbody")).contains("Shop.none21");
        browser.find("#failures-find").clear();
        browser.find("#failures-find").sendKeys(" ");
        Await.untilAsserted(
                LivePage.TO_SHOW,
                () -> assertThat(browser.all("#failures-table .kind[open]")).isEmpty());
    }

    @Test
    void aCallIsTriedFromTheDescription() throws Exception {
        browser.find("#try-title").click();
        browser.find("#call-service option[value='" + SHOP + "']").click();
        awaitText("#call-note", "io.dubbomesh.demo.shop.Receipt buy(io.dubbomesh.demo.shop.Order)");
        awaitForm();
        assertThat(browser.find("#call-arguments").getAttribute("value")).contains("\"quantity\": 0");
        assertThat(browser.text("#call-fields")).contains("quantity", "whole number, int32", "date, as 2026-11-28");
        WebElement price = control("price");
        price.clear();
        price.sendKeys("three");
        browser.find("#call-button").click();
        awaitText("#call-answer", "price (expected: a number, as 3.50)");
        assertThat(price.getAttribute("aria-invalid")).isEqualTo("true");
        price.clear();
        price.sendKeys("3.50");
        WebElement quantity = control("quantity");
        quantity.clear();
        quantity.sendKeys("2");
        control("delivery").findElement(By.xpath("option[.='COURIER']")).click();

        browser.find("#call-button").click();

        awaitText("#call-answer", "status 200");
        assertThat(browser.text("#call-answer pre")).contains("\"delivery\": \"COURIER\"", "\"total\": 7.00");
        assertThat(browser.text("#call-answer")).contains("of which agent", "provider");
        browser.run("document.getElementById('try').scrollIntoView()");
        picture("page-call");
    }

    /** Returns the control in the form whose label is this one. */
    private static WebElement control(String label) {
        return browser.all("#call-fields :is(input, textarea, select:not(.state-of))").stream()
                .filter(each -> each.getAccessibleName().replace("*", "").equals(label))
                .findFirst()
                .orElseThrow(() -> new AssertionError(label + " is not in the form"));
    }

    @Test
    void theSameCallIsShownAsAProgramThatRuns() throws Exception {
        browser.find("#try-title").click();
        browser.find("#call-service option[value='" + SHOP + "']").click();
        awaitForm();
        chooseGreet();
        WebElement visitor = browser.find("#call-fields textarea");
        visitor.clear();
        visitor.sendKeys("it's \"Ana\" $HOME `id` \\ \u00e9\u4e2d\nand more");
        browser.find("#call-button").click();
        awaitText("#call-answer", "status 200");

        String answer = browser.text("#call-answer pre");
        String curl = browser.text("#call-answer pre[data-language='curl']");
        assertThat(answer).contains("it's \\\"Ana\\\" $HOME `id` \\\\ \u00e9\u4e2d\\nand more");
        assertThat(CompletedProcess.run("bash", "-c", curl).requireSuccess()).isEqualTo(answer);
        assertThat(browser.text("#call-answer pre[data-language='Python']")).contains("urlopen(request)");
        assertThat(browser.text("#call-answer pre[data-language='JavaScript']")).contains("fetch(");
    }

    private static void chooseGreet() throws Exception {
        // The note is that of the variant before until the methods of this one have come, which are the same.
        Await.until(
                LivePage.TO_SHOW,
                "the form of greet",
                () -> browser.run("const methods = document.getElementById('call-method');"
                                + " const greet = [...methods.options].find(each => each.text === 'greet(String)');"
                                + " if (!greet || call.document === null) return false;"
                                + " methods.value = greet.value;"
                                + " methods.dispatchEvent(new Event('change'));"
                                + " return true;")
                        .equals(true));
    }

    @Test
    void aFormHasAPlaceForEachKindOfValue() {
        String values = "[{\"kind\":\"B\",\"big\":9007199254740993,\"day\":\"2026-11-28\",\"text\":\"a\\nb\"},null,"
                + "[\"x\",null],{\"a\":1,\"b\":2},[[1,\"one\"]],{\"class\":\"a.Dog\",\"name\":\"Rex\"},{\"any\":[1.50,{}]},true]";
        browser.run("""
                const nullable = schema => ({ anyOf: [schema, { type: 'null' }] });
                const bean = { $ref: '#/components/schemas/Bean' };
                const schemas = {
                  Bean: { type: 'object', required: ['kind'], properties: { kind: { type: 'string', enum: ['A', 'B'] },
                    big: { type: ['integer', 'null'], format: 'int64' }, day: { type: ['string', 'null'], format: 'date' },
                    text: { type: ['string', 'null'] }, bean: nullable({ $ref: '#/components/schemas/Bean' }) } },
                  Cat: { type: 'object', properties: { class: { const: 'a.Cat' } }, required: ['class'] },
                  Dog: { type: 'object', properties: { class: { const: 'a.Dog' }, name: { type: 'string' } }, required: ['class'] },
                };
                const all = [nullable(bean), nullable(bean), { type: ['array', 'null'], items: { type: ['string', 'null'] } },
                  { type: 'object', additionalProperties: { type: 'integer' } },
                  { anyOf: [{ type: 'object', maxProperties: 0 }, { type: 'array', items: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] } }, { type: 'null' }] },
                  { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }] }, {}, { type: 'boolean' }];
                window.tried = tupleEditor(all.map((schema, i) => ({ schema, name: { text: 'v' + i, path: () => 'v' + i } })), { text: 'all', path: () => 'all' }, schemas);
                document.getElementById('try').append(h('div', { id: 'tried', class: 'call-form' }, tried.element));
                tried.write(readJson(arguments[0]));
                """, values);

        assertThat(browser.run("return writeJson(tried.read())")).isEqualTo(values);
        for (WebElement control : browser.all("#tried :is(input, textarea, select, button)")) {
            if (control.isDisplayed()) {
                assertThat(control.getAccessibleName())
                        .as(control.getAttribute("outerHTML"))
                        .isNotBlank();
            }
        }
        List<?> refusals = (List<?>) browser.run("""
                return ['[]', '[1,null,null,{},null,{"class":"a.Cat"},1,true]', '[{"kind":"C"},null,null,{},null,{"class":"a.Cat"},1,true]',
                  '[null,null,null,{},null,{"class":"a.Cow"},1,true]', '[{"kind":"A","none":1},null,null,{},null,{"class":"a.Cat"},1,true]'].map(text => {
                  try {
                    tried.write(readJson(text));
                    return 'taken';
                  } catch (e) {
                    return e.message;
                  }
                });
                """);
        assertThat(refusals)
                .hasSize(5)
                .allSatisfy(each -> assertThat(each.toString()).startsWith("the form has no place for "));
        browser.run("tried.write(readJson(arguments[0]))", values);
        browser.find("#tried select[aria-label^='bean: '] option:first-child").click();
        assertThat((String) browser.run("return writeJson(tried.read()[0].get('bean'))"))
                .startsWith("{\"kind\":\"A\",\"big\":0,")
                .endsWith("\"text\":\"\",\"bean\":null}");
        List<WebElement> removes = browser.all("#tried button[aria-label='Remove item 1 of v2']");
        removes.get(0).click();
        browser.find("#tried button[aria-label='Add to v3']").click();
        assertThat((String) browser.run("return writeJson(tried.read()[2]) + writeJson([...tried.read()[3].keys()])"))
                .isEqualTo("[null][\"a\",\"b\",\"\"]");
    }

    @Test
    void aCallChoosesAmongTheVersionsAndGroupsOnOffer() throws Exception {
        browser.find("#try-title").click();
        browser.find("#call-service option[value='" + SHOP + "']").click();
        awaitText("#call-variant", "version 2.0.0, group blue");

        browser.find("#call-variant option:last-child").click();
        chooseGreet();
        writeJson("[\"Ana\"]");
        browser.find("#call-button").click();

        awaitText("#call-answer", "Welcome to the blue shop, Ana");
    }

    @Test
    void aDescriptionThatComesLateIsNotThatOfAnotherService() throws Exception {
        browser.run("const ask = fetch; window.held = [];"
                + " window.fetch = (...a) => a[0].includes('services/')"
                + " ? new Promise(answer => held.push(() => answer(ask(...a)))) : ask(...a);");
        browser.find("#try-title").click();
        browser.find("#call-service option[value='" + SHOP + "']").click();
        Await.until(LivePage.TO_SHOW, "two descriptions", () -> number("held.length") == 2);

        browser.run("held[1]()");
        awaitText("#call-note", "io.dubbomesh.demo.shop.Receipt buy(io.dubbomesh.demo.shop.Order)");
        browser.run("held[0]()");
        page.awaitDrawn();

        assertThat(browser.text("#call-note")).contains("io.dubbomesh.demo.shop.Receipt buy");
    }

    @Test
    void aCallIsTriedWithTheTokenThatIsTyped(@TempDir Path directory) throws Exception {
        String token = "a-token-of-24-characters";
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana " + token + "\n");
        Agent guarded = mesh.consumerAgent(
                "guarded-agent", registry, Map.of("http.auth", "token", "http.auth.token-file", tokens.toString()));
        guarded.awaitReady();
        browser.open("http://127.0.0.1:" + guarded.adminPort() + "/");
        awaitText("#verdict", "of 3 endpoints");
        browser.find("#try-title").click();
        awaitText("#call-note", "This agent serves only callers that it knows: give it the token of one.");
        assertThat(browser.find("#call-button").isEnabled()).isFalse();
        assertThat(browser.find("#call-arguments").getAttribute("readOnly")).isEqualTo("true");

        browser.find("#call-token").sendKeys(token, Keys.TAB);
        browser.find("#call-service option[value='" + SHOP + "']").click();
        awaitText("#call-note", "io.dubbomesh.demo.shop.Receipt buy(io.dubbomesh.demo.shop.Order)");
        awaitForm();
        browser.find("#call-button").click();
        awaitText("#call-answer", "status 200");
        assertThat(browser.text("#call-answer"))
                .contains("Authorization: Bearer $TOKEN")
                .doesNotContain(token);

        Files.writeString(tokens, "ana another-token-of-32-characters-\n");
        Await.untilAsserted(LivePage.TO_SHOW, () -> {
            browser.find("#call-button").click();
            assertThat(browser.text("#call-answer"))
                    .contains("does not know a caller with this token", "INVALID_TOKEN");
        });
        assertThat(browser.run("return localStorage.length + sessionStorage.length"))
                .isEqualTo(0L);
        browser.open("about:blank");
        guarded.process().send(Signal.TERM);
        assertThat(guarded.process().awaitExit(LivePage.TO_SHOW)).isZero();
    }

    @Test
    void aGatewayIsNamedAndSaysNothingOfAgentsThatItDoesNotNeed() throws Exception {
        Agent gateway = mesh.consumerAgent("gateway", "static:dubbo://127.0.0.1:1", Map.of("type", "gateway"));
        gateway.awaitReady();
        browser.open("http://127.0.0.1:" + gateway.adminPort() + "/");
        awaitText("#title", "Gateway 127.0.0.1:" + gateway.port());

        Await.untilAsserted(LivePage.TO_SHOW, () -> {
            assertThat(browser.title()).contains(" · gateway 127.0.0.1:");
            assertThat(browser.text("#endpoints-table")).contains("127.0.0.1:1");
            assertThat((String) browser.run("return document.body.innerText"))
                    .doesNotContain("provider agent", "Provider agent", "consumer agent", "without agent");
        });
        browser.open("about:blank");
        gateway.process().send(Signal.TERM);
        assertThat(gateway.process().awaitExit(LivePage.TO_SHOW)).isZero();
    }

    @Test
    void whatAStrangerNamesStaysText() throws Exception {
        String name = "<img src=x onerror=document.title='run'>";
        String target = "/" + Form.encoded("a." + name).replace("+", "%20") + "/" + Form.encoded("<b>m</b>");
        HttpSocket.once(
                consumerAgent.port(),
                "POST " + target + " HTTP/1.1\r\nHost: mesh\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");

        awaitText("#failures-table", "<b>m</b>");

        assertThat(browser.text("#failures-table")).contains(name);
        assertThat(browser.all("main img, #failures b")).isEmpty();
        assertThat(browser.title()).doesNotContain("run");
    }

    @Test
    void anEndpointThatIsAwayIsNamedWithTheReason() throws Exception {
        PROVIDER_AGENTS.get(1).process().kill();
        try {
            awaitText("#verdict", "Endpoint " + id(1) + ": not connected (");
            awaitText("#failures-table", "PROVIDER_ERROR");
            assertThat(browser.all("#picture .node.is-bad")).hasSize(1);
            assertThat(browser.find("#picture .node.is-bad").getText()).contains(id(1), "not connected");
            // A second one for some seconds, if the calls that were lost are more than one of a hundred.
            assertThat(browser.title()).startsWith("✕ ").contains("problem");
            picture("page-failing");
            phone(true);
            picture("page-failing-phone");
        } finally {
            PROVIDER_AGENTS.get(1).startAgain();
            PROVIDER_AGENTS.get(1).awaitReady();
        }
    }

    @Test
    void itFitsAPhoneAndTheDark() throws Exception {
        browser.dark(true);
        page.awaitDrawn();
        picture("page-dark");
        browser.dark(false);
        phone(false);
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        picture("page-phone");
    }

    private static void phone(boolean dark) throws Exception {
        browser.dark(dark);
        browser.size(390, 844, true);
        Await.until("the page is narrow", () -> browser.run("return innerWidth").equals(390L));
        page.awaitDrawn();
    }

    @Test
    void whateverCanBeUsedHasAName() {
        browser.run("document.querySelectorAll('details').forEach(each => each.open = true)");

        List<WebElement> controls = browser.all("button, input, select, textarea, summary, [tabindex='0']");

        assertThat(controls).hasSizeGreaterThan(15);
        for (WebElement control : controls) {
            if (control.isDisplayed()) {
                assertThat(control.getAccessibleName())
                        .as(control.getAttribute("outerHTML"))
                        .isNotBlank();
            }
        }
    }

    @Test
    void aPauseStopsThePage() throws Exception {
        // The page sets its timer again at the end of each turn, also while it is paused.
        browser.run("const ask = fetch, later = setTimeout; window.asked = 0; window.turns = 0;"
                + " window.fetch = (...a) => { asked++; return ask(...a); };"
                + " window.setTimeout = (f, ms) => { turns += f.name === 'go'; return later(f, ms); }");
        awaitTurns(2);
        assertThat(number("asked")).isPositive();

        browser.find("#pause").click();
        awaitTurns(1);
        long asked = number("asked");
        awaitTurns(4);
        assertThat(number("asked")).isEqualTo(asked);
        String clock = browser.text("#clock");

        browser.find("#pause").click();

        Await.untilAsserted(
                LivePage.TO_SHOW, () -> assertThat(browser.text("#clock")).isNotEqualTo(clock));
    }

    private static void awaitTurns(int turns) throws Exception {
        long before = number("turns");
        Await.until(LivePage.TO_SHOW, turns + " turns", () -> number("turns") - before >= turns);
    }

    private static long number(String variable) {
        return (Long) browser.run("return window." + variable);
    }

    @Test
    void aProviderAgentShowsItselfAndItsProvider() throws Exception {
        browser.open("http://127.0.0.1:" + PROVIDER_AGENTS.get(0).adminPort() + "/");

        awaitText("#verdict", "All is well: registered, and the provider takes calls.");
        assertThat(browser.text("#picture")).contains("Consumer agents", "This agent " + id(0), "Provider 127.0.0.1:");
        assertThat(browser.text("#services-table")).contains(SHOP, "offered");
        assertThat(browser.find("#try").isDisplayed()).isFalse();
        Await.untilAsserted(
                LivePage.TO_SHOW,
                () -> assertThat(browser.text("#methods-table")).contains("IHelloService.hash"));
        Await.untilAsserted(
                LivePage.TO_SHOW,
                () -> assertThat(browser.text("#tile-calls span")).matches("[1-9][0-9.]*"));
        picture("page-provider");
    }
}
