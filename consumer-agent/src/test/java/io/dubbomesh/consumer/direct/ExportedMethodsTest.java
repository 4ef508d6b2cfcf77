package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.method.ResolvedMethod;
import io.dubbomesh.client.tls.ProviderTls;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ExportedMethodsTest {
    private static final EndpointId PROVIDER = EndpointProtocol.DUBBO.at("192.0.2.7", 20880);
    private static final String SERVICE = "com.example.Greeter";

    private final Set<String> hidden = new HashSet<>();

    private ExportedMethods methods(Directory directory) {
        Settings settings =
                Settings.of("io/dubbomesh/consumer/reference.conf", Map.of("dubbo.inquiry", "false"), Map.of());
        ServiceTypes types = new ServiceTypes(
                DirectSettings.from(settings, AgentRole.CONSUMER, 1 << 20), ProviderTls.NONE, List.of(), () -> {});
        return new ExportedMethods(
                PROVIDER,
                Serialization.HESSIAN2,
                types,
                ProviderTls.NONE,
                new CallMetrics(CallMetricNames.PROVIDER, 0),
                directory,
                ServiceTokens.parse(List.of("configured")),
                tokens -> {
                    hidden.clear();
                    hidden.addAll(tokens);
                });
    }

    private static Directory listing(DubboExport... exports) {
        List<Variant> variants =
                Arrays.stream(exports).map(DubboExport::variant).toList();
        Endpoint other = new Endpoint("192.0.2.1", 20880, 100, 180, List.of(Variant.NONE), List.of(export("", "", "")));
        return Directory.of(Map.of(
                SERVICE, List.of(other, new Endpoint("192.0.2.7", 20880, 100, 180, variants, List.of(exports)))));
    }

    private static DubboExport export(String version, String serialization, String token, String... parameters) {
        Map<String, String> others = parameters.length == 0 ? Map.of() : Map.of(parameters[0], parameters[1]);
        return new DubboExport(new Variant(version, ""), "greeter", "", serialization, token, others);
    }

    private static MethodName greet(String version) {
        return new MethodName(SERVICE, "greet", "Ljava/lang/String;", version, "");
    }

    /** The request as text, and behind it the id of its serialization. */
    private static String encoded(ExportedMethods methods, MethodName name) throws CallException {
        ByteBuf out = Unpooled.buffer();
        ByteBuf argument = Unpooled.buffer().writeInt(2).writeBytes("hi".getBytes(ISO_8859_1));
        CallArguments arguments = new CallArguments();
        arguments.form(argument, 0, argument.readableBytes()).attachments(0, 0).timeLeftMs(1000);
        methods.prepare(methods.resolve(name)).encode(out, 1, false, arguments);
        return out.toString(DubboHeader.LENGTH, out.writerIndex() - DubboHeader.LENGTH, ISO_8859_1)
                + '#'
                + DubboHeader.serialization(out, 0);
    }

    @Test
    void eachVersionHasItsTokenAndItsSerialization() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "first"), export("2.0", "fastjson2", "second")));

        assertThat(encoded(methods, greet("1.0")))
                .contains("first")
                .doesNotContain("second")
                .endsWith("#2");
        assertThat(encoded(methods, greet("2.0")))
                .contains("second")
                .doesNotContain("first")
                .endsWith("#23");
        assertThat(hidden).containsExactlyInAnyOrder("first", "second", "configured");
    }

    @Test
    void argumentsAreCheckedWhereTheProviderHasRegisteredThatItValidates() {
        ExportedMethods methods = methods(listing(
                export("1.0", "", ""),
                export("2.0", "", "", "validation", "true"),
                export("3.0", "", "", "greet.validation", "jvalidatorNew"),
                export("4.0", "", "", "other.validation", "true"),
                export("5.0", "", "", "validation", "false")));

        assertThat(methods.validates(greet("1.0"))).isFalse();
        assertThat(methods.validates(greet("2.0"))).isTrue();
        assertThat(methods.validates(greet("3.0"))).isTrue();
        assertThat(methods.validates(greet("4.0"))).isFalse();
        assertThat(methods.validates(greet("5.0"))).isFalse();
    }

    @Test
    void aConfiguredTokenIsForServicesOfWhichTheRegistryTellsNone() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "registered"), export("2.0", "", "")));

        assertThat(encoded(methods, greet("1.0"))).contains("registered").doesNotContain("configured");
        assertThat(encoded(methods, greet("2.0"))).contains("configured");
    }

    @Test
    void aSerializationThatIsNotKnownHereIsNotUsed() throws Exception {
        assertThat(encoded(methods(listing(export("", "protobuf", ""))), greet("")))
                .endsWith("#2");
    }

    @Test
    void ofSeveralSerializationsHessian2IsUsedWhicheverIsPreferred() throws Exception {
        assertThat(encoded(methods(listing(export("", "protobuf,fastjson2,Hessian2", ""))), greet("")))
                .endsWith("#2");
    }

    @Test
    void withoutHessian2TheFirstIsUsedThatIsKnownHere() throws Exception {
        assertThat(encoded(methods(listing(export("", "protobuf,Fastjson2,fastjson", ""))), greet("")))
                .endsWith("#23");
    }

    /** Providers take Dubbo's default, and ignore what else is configured. */
    @ParameterizedTest
    @CsvSource({
        "3.2.19, 2",
        "3.3.6, 2",
        "3.10.0-SNAPSHOT, 2",
        "4.0, 2",
        "3.1.11, 23",
        "3.0.15, 23",
        "2.7.23, 23",
        "x, 23",
        "'', 23"
    })
    void providersOfDubbo32AndLaterTakeHessian2ThoughTheyDoNotNameIt(String release, int id) throws Exception {
        assertThat(encoded(methods(listing(export("", "fastjson2", "", "release", release))), greet("")))
                .endsWith("#" + id);
    }

    @Test
    void aServiceIsCalledByThePathUnderWhichItIsRegistered() throws Exception {
        assertThat(encoded(methods(listing(export("", "", "", "path", "shop/greeter"))), greet("")))
                .startsWith("\u00052.0.2\u0013" + SERVICE)
                .contains("path\fshop/greeter")
                .contains("interface\u0013" + SERVICE);
    }

    @Test
    void aCallForAnyVersionGoesToOneThatIsExported() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "")));
        assertThat(methods.resolve(greet("*")).version()).isEqualTo("1.0");
        assertThatThrownBy(() -> methods.resolve(greet("3.0")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.METHOD_NOT_FOUND));
    }

    @Test
    void whatTheProviderOffersByAnotherProtocolIsNotListedForThisOne() {
        ExportedMethods methods = methods(listing(export("", "", "", "protocol", "tri")));
        assertThatThrownBy(() -> methods.resolve(greet("")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NO_PROVIDER))
                .hasMessage("service com.example.Greeter is not listed for 192.0.2.7:20880");
    }

    @Test
    void methodsArePreparedAgainWhenTheirServiceIsExportedDifferently() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "old")));
        encoded(methods, greet("1.0"));
        int revision = methods.revision();

        methods.update(listing(export("1.0", "", "old")), List.of(SERVICE));
        assertThat(methods.revision()).isEqualTo(revision);

        methods.update(listing(export("1.0", "", "new")), List.of(SERVICE));
        assertThat(methods.revision()).isNotEqualTo(revision);
        assertThat(encoded(methods, greet("1.0"))).contains("new");
        assertThat(hidden).containsExactlyInAnyOrder("new", "configured");
    }

    @Test
    void whatIsNotListedAnyMoreStaysAsItWas() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "old")));
        encoded(methods, greet("1.0"));

        methods.update(Directory.of(Map.of()), List.of(SERVICE));
        assertThat(encoded(methods, greet("1.0"))).contains("old");
    }

    @Test
    void aServiceThatIsListedAgainIsNotRefusedAnyMore() throws Exception {
        ExportedMethods methods = methods(Directory.of(Map.of()));
        ResolvedMethod method = new ResolvedMethod(greet("1.0"), methods);
        assertThat(method.refusal()).hasMessageContaining("is not listed for 192.0.2.7:20880");

        methods.update(listing(export("1.0", "", "")), List.of());
        assertThat(method.refusal()).isNull();
        assertThat(method.called()).isNotNull();
    }

    @Test
    void aServiceWhoseEntryHasLapsedCanStillBeCalledForTheFirstTime() throws Exception {
        ExportedMethods methods = methods(listing(export("1.0", "", "old")));
        methods.update(Directory.of(Map.of(SERVICE, List.of())), List.of(SERVICE));
        methods.update(Directory.of(Map.of()), List.of());
        assertThat(encoded(methods, greet("1.0"))).contains("old");
    }

    @Test
    void aServiceThatIsDeregisteredAfterItsEntryHasLapsedIsNotCalledAnyMore() {
        ExportedMethods methods = methods(listing(export("1.0", "", "old")));
        methods.update(Directory.of(Map.of(SERVICE, List.of())), List.of(SERVICE));
        methods.update(Directory.of(Map.of(SERVICE, List.of()), Map.of(SERVICE, Set.of("192.0.2.7:20880"))), List.of());
        assertThatThrownBy(() -> methods.resolve(greet("1.0"))).isInstanceOf(CallException.class);
    }

    @Test
    void aServiceThatIsDeregisteredIsNotCalledAsIfItsEntryHadLapsed() {
        ExportedMethods methods = methods(listing(export("1.0", "", "old")));
        methods.update(
                Directory.of(Map.of(SERVICE, List.of()), Map.of(SERVICE, Set.of("192.0.2.7:20880"))), List.of(SERVICE));
        assertThatThrownBy(() -> methods.resolve(greet("1.0")))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.outcome()).isEqualTo(Outcome.NO_PROVIDER));
    }
}
