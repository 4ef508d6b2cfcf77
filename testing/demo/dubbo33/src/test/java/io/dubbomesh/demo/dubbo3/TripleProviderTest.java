package io.dubbomesh.demo.dubbo3;

import io.dubbomesh.demo.api.ProviderSettings;
import io.dubbomesh.demo.conformance.ClosedException;
import io.dubbomesh.demo.conformance.ConformanceService;
import io.dubbomesh.demo.conformance.Item;
import io.dubbomesh.demo.conformance.OutOfStockException;
import io.dubbomesh.demo.office.Cashier;
import io.dubbomesh.demo.office.PaymentException;
import io.dubbomesh.demo.office.Vault;
import org.apache.dubbo.common.Version;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.service.GenericService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.math.BigDecimal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * The provider by Triple, called by the client of the same version of Dubbo: what the mesh is compared with. The
 * modules of the other versions of Dubbo 3 have this test too.
 */
@Timeout(60)
class TripleProviderTest {
    private static final boolean IS_OLD =
            Version.getVersion().startsWith("3.0.") || Version.getVersion().startsWith("3.1.");
    private static final int PATIENCE_MS = 20_000;
    private static final int IMPATIENCE_MS = 500;
    private static final Map<String, Running> RUNNING = new HashMap<>();

    /** A provider and a client, each in a Dubbo of its own, which keeps the serialization of the first call. */
    private record Running(String serialization, int port, DemoProvider provider, FrameworkModel client) {
        static Running start(String serialization) throws Exception {
            int port = freePort();
            Map<String, String> properties = Map.of(
                    "port",
                    Integer.toString(port),
                    // Dubbo's client of 3.0 connects to another address of the host where it is told 127.0.0.1.
                    "host",
                    "0.0.0.0",
                    "delay.ms",
                    "0",
                    "conformance",
                    "true",
                    "office",
                    "true",
                    "serialization",
                    serialization);
            System.setProperty("protocol", "tri");
            try {
                return new Running(
                        serialization,
                        port,
                        DemoProvider.start(ProviderSettings.from(properties::get, "hessian2")),
                        new FrameworkModel());
            } finally {
                System.clearProperty("protocol");
            }
        }

        <T> ReferenceConfig<T> reference(String service, String parameters) throws Exception {
            ApplicationConfig application = new ApplicationConfig("client");
            application.setQosEnable(false);
            // Dubbo 3.0 exports it for a client too, at 20880 unless it is told.
            application.setMetadataServicePort(freePort());
            DubboBootstrap bootstrap = DubboBootstrap.newInstance(client)
                    .application(application)
                    .registry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
            ReferenceConfig<T> reference = new ReferenceConfig<>();
            reference.setScopeModel(bootstrap.getApplicationModel().getDefaultModule());
            reference.setInterface(service);
            reference.setUrl("tri://127.0.0.1:" + port + "/" + service + "?serialization=" + serialization
                    + "&prefer.serialization=" + serialization + parameters);
            reference.setTimeout(PATIENCE_MS);
            reference.setRetries(0);
            return reference;
        }

        <T> T referred(Class<T> type, String parameters) throws Exception {
            ReferenceConfig<T> reference = reference(type.getName(), parameters);
            return reference.get();
        }

        ConformanceService conformance() throws Exception {
            return referred(ConformanceService.class, "");
        }
    }

    private static Running running(String serialization) throws Exception {
        if (!RUNNING.containsKey(serialization)) {
            RUNNING.put(serialization, Running.start(serialization));
        }
        return RUNNING.get(serialization);
    }

    @AfterAll
    static void close() throws Exception {
        for (Running each : RUNNING.values()) {
            each.client().destroy();
            each.provider().close();
        }
    }

    /** Before Dubbo 3.2 a provider takes hessian2 alone by Triple. */
    static List<String> serializations() {
        return IS_OLD ? List.of("hessian2") : List.of("hessian2", "fastjson2");
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void valuesOfAllKindsComeBack(String serialization) throws Exception {
        ConformanceService service = running(serialization).conformance();

        assertThat(service.echoString("\u00e4 \u4f60\u597d \ud83d\ude00"))
                .isEqualTo("\u00e4 \u4f60\u597d \ud83d\ude00");
        assertThat(service.echoLong(9_007_199_254_740_993L)).isEqualTo(9_007_199_254_740_993L);
        assertThat(service.echoInts(new int[] {1, -1})).containsExactly(1, -1);
        assertThat(service.increment(new ArrayList<>(List.of(1L, 2L)))).containsExactly(2L, 3L);
        assertThat(service.total(new Item("pen", new BigDecimal("1.50"), 3))).isEqualTo(new BigDecimal("4.50"));
        assertThat(service.nullItem()).isNull();
        service.nothing();
        assertThat(service.later("soon").get(PATIENCE_MS, TimeUnit.MILLISECONDS))
                .isEqualTo("soon");
        assertThat(service.overloaded("a", 1)).isEqualTo("(String, int)");
        assertThat(service.lengthOfText("x".repeat(200_000))).isEqualTo(200_000);
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void exceptionsComeAsTheyWereThrown(String serialization) throws Exception {
        ConformanceService service = running(serialization).conformance();
        if (IS_OLD) {
            // A status and a text are all that goes over the wire.
            assertThatThrownBy(() -> service.failChecked("none left"))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("none left");
            return;
        }
        // Dubbo's reader of JSONB makes it by a constructor that loses the message.
        assertThatThrownBy(() -> service.failChecked("none left")).isInstanceOf(OutOfStockException.class);
        assertThatThrownBy(() -> service.failOwnUnchecked("closed"))
                .isInstanceOf(ClosedException.class)
                .hasMessageContaining("closed");
        Throwable thrown = catchThrowable(
                () -> running(serialization).referred(Cashier.class, "").pay("a", new BigDecimal(12)));
        assertThat(thrown).isInstanceOf(PaymentException.class);
        assertThat(((PaymentException) thrown).getAccount()).isEqualTo("a");
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void attachmentsTravelBothWays(String serialization) throws Exception {
        ConformanceService service = running(serialization).conformance();

        RpcContext.getClientAttachment().setAttachment("city", "rome");
        assertThat(service.attachment("city")).isEqualTo("rome");
        assertThat(service.attach("colour", "red")).isEqualTo("red");
        assertThat(RpcContext.getServerContext().getAttachment("colour")).isEqualTo("red");
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void aVersionAndAGroupAreServicesOfTheirOwn(String serialization) throws Exception {
        ReferenceConfig<ConformanceService> blue =
                running(serialization).reference(ConformanceService.class.getName(), "");
        blue.setVersion("2.0.0");
        blue.setGroup("blue");

        assertThat(blue.get().version()).isEqualTo("2.0.0 blue");
        // Before Dubbo 3.2 the service that was exported last takes the calls of the one without version and group.
        assertThat(running(serialization).conformance().version()).isEqualTo(IS_OLD ? "2.0.0 blue" : "plain");
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void theTokenIsChecked(String serialization) throws Exception {
        Running running = running(serialization);
        ReferenceConfig<Vault> right = running.reference(Vault.class.getName(), "&token=an0ther");
        right.setVersion("other");
        ReferenceConfig<Vault> wrong = running.reference(Vault.class.getName(), "&token=wr0ng");
        wrong.setVersion("other");
        // Dubbo 3.1 and 3.2 give no answer at all.
        wrong.setTimeout(IMPATIENCE_MS);

        assertThat(right.get().open("you")).isEqualTo("opened for you");
        assertThatThrownBy(() -> wrong.get().open("you")).isInstanceOf(RpcException.class);
    }

    @ParameterizedTest
    @MethodSource("serializations")
    void aGenericCallIsAnsweredWithAMap(String serialization) throws Exception {
        ReferenceConfig<GenericService> generic =
                running(serialization).reference(ConformanceService.class.getName(), "");
        generic.setGeneric("true");
        Map<String, Object> item = new HashMap<>(Map.of("name", "pen", "price", new BigDecimal("1.50"), "quantity", 3));

        Object answer = generic.get().$invoke("echoItem", new String[] {Item.class.getName()}, new Object[] {item});

        assertThat(answer)
                .isInstanceOfSatisfying(
                        Map.class, map -> assertThat(map.get("name")).isEqualTo("pen"));
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
