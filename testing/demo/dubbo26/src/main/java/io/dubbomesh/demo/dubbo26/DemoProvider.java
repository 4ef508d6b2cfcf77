package io.dubbomesh.demo.dubbo26;

import com.alibaba.dubbo.common.extension.ExtensionLoader;
import com.alibaba.dubbo.config.ApplicationConfig;
import com.alibaba.dubbo.config.ProtocolConfig;
import com.alibaba.dubbo.config.RegistryConfig;
import com.alibaba.dubbo.config.ServiceConfig;
import com.alibaba.dubbo.performance.demo.provider.IHelloService;
import com.alibaba.dubbo.rpc.Protocol;
import com.alibaba.dubbo.rpc.RpcContext;
import com.alibaba.dubbo.rpc.service.GenericService;
import io.dubbomesh.demo.api.HelloService;
import io.dubbomesh.demo.api.ProviderSettings;
import io.dubbomesh.demo.conformance.Conformance;
import io.dubbomesh.demo.conformance.ConformanceService;
import io.dubbomesh.demo.office.Ledger;
import io.dubbomesh.demo.office.OfficeService;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A provider like that of the 2018 Dubbo Mesh benchmark: Dubbo 2.5 or 2.6 on Netty 4 with fastjson. With
 * {@code -Dlogs.dir} it logs every call there and on standard output.
 */
public final class DemoProvider implements AutoCloseable {
    private final List<ServiceConfig<?>> exported;
    private final HelloService service;

    private DemoProvider(List<ServiceConfig<?>> exported, HelloService service) {
        this.exported = exported;
        this.service = service;
    }

    public static void main(String[] args) throws Exception {
        String logs = System.getProperty("logs.dir");
        ProviderSettings settings;
        try {
            settings = ProviderSettings.from(System::getProperty, "fastjson");
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        start(settings, logs == null ? null : Path.of(logs));
        System.out.printf(
                "provider %s: listening on %s:%d, %d threads, %d ms a call, %s%n",
                settings.name(),
                settings.host(),
                settings.port(),
                settings.threads(),
                settings.delayMs(),
                settings.serialization());
        new CountDownLatch(1).await();
    }

    /**
     * Returns when calls are answered. A JVM can run one at a time: Dubbo 2.6 keeps exported services in static fields.
     */
    public static DemoProvider start(ProviderSettings settings) throws IOException {
        return start(settings, null);
    }

    /** @param logs the directory of the log of calls, null for none */
    static DemoProvider start(ProviderSettings settings, Path logs) throws IOException {
        // Otherwise Dubbo takes the first logging library that it finds, here one without a configuration.
        System.setProperty("dubbo.application.logger", "slf4j");
        HelloService service = new HelloService(settings.delayMs(), settings.busyMs(), settings.callsFile());
        ApplicationConfig application = new ApplicationConfig(settings.name());
        application.setQosEnable(false);
        ProtocolConfig protocol = protocol(settings);
        List<ServiceConfig<?>> exported = new ArrayList<>();
        IHelloService logged = logs == null ? service : new LoggedHelloService(service, logs);
        exported.add(hello(logged, application, protocol));
        if (settings.conformance()) {
            exported.add(exported(ConformanceService.class, conformance("plain"), application, protocol));
            ServiceConfig<ConformanceService> blue =
                    exported(ConformanceService.class, conformance("2.0.0 blue"), application, protocol);
            blue.setVersion("2.0.0");
            blue.setGroup("blue");
            exported.add(blue);
        }
        if (settings.office()) {
            OfficeService.all().forEach(each -> exported.add(exported(each, application, protocol)));
            exported.add(ledger(application, protocol));
        }
        exported.forEach(ServiceConfig::export);
        return new DemoProvider(exported, service);
    }

    /** With what a provider may set of its own for a service. */
    private static ServiceConfig<IHelloService> hello(
            IHelloService service, ApplicationConfig application, ProtocolConfig protocol) {
        ServiceConfig<IHelloService> hello = exported(IHelloService.class, service, application, protocol);
        hello.setPath(System.getProperty("path"));
        hello.setParameters(ProviderSettings.parameters(System::getProperty));
        return hello;
    }

    private static ProtocolConfig protocol(ProviderSettings settings) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", settings.port());
        protocol.setHost(settings.dubboHost());
        protocol.setContextpath(System.getProperty("contextpath"));
        protocol.setServer("netty4");
        protocol.setSerialization(settings.serialization());
        protocol.setThreadpool("fixed");
        protocol.setThreads(settings.threads());
        return protocol;
    }

    private static ConformanceService conformance(String version) {
        return new Conformance(
                version, key -> RpcContext.getContext().getAttachment(key), DemoProvider::attachToResult);
    }

    /** Attaches by reflection, since 2.5 and 2.6.1 have no attachments of results and the last 2.6 has. */
    private static void attachToResult(String key, String value) {
        try {
            RpcContext context =
                    (RpcContext) RpcContext.class.getMethod("getServerContext").invoke(null);
            context.setAttachment(key, value);
        } catch (NoSuchMethodException e) {
            // This version has no attachments of results.
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static <T> ServiceConfig<T> exported(
            OfficeService<T> service, ApplicationConfig application, ProtocolConfig protocol) {
        ServiceConfig<T> exported = exported(service.type(), service.service(), application, protocol);
        exported.setVersion(service.version());
        exported.setToken(service.token());
        exported.setValidation(service.validated() ? "true" : null);
        return exported;
    }

    private static ServiceConfig<GenericService> ledger(ApplicationConfig application, ProtocolConfig protocol) {
        ServiceConfig<GenericService> exported = new ServiceConfig<>();
        exported.setApplication(application);
        exported.setRegistry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
        exported.setProtocol(protocol);
        exported.setInterface(Ledger.SERVICE);
        exported.setRef(Ledger::call);
        return exported;
    }

    private static <T> ServiceConfig<T> exported(
            Class<T> type, T service, ApplicationConfig application, ProtocolConfig protocol) {
        ServiceConfig<T> exported = new ServiceConfig<>();
        exported.setApplication(application);
        exported.setRegistry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
        exported.setProtocol(protocol);
        exported.setInterface(type);
        exported.setRef(service);
        return exported;
    }

    @Override
    public void close() throws IOException {
        exported.forEach(ServiceConfig::unexport);
        ExtensionLoader.getExtensionLoader(Protocol.class).getExtension("dubbo").destroy();
        service.close();
    }
}
