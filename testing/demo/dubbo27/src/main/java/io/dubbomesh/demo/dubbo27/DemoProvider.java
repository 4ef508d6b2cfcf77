package io.dubbomesh.demo.dubbo27;

import com.alibaba.dubbo.performance.demo.provider.IHelloService;
import io.dubbomesh.demo.api.HelloService;
import io.dubbomesh.demo.api.ProviderSettings;
import io.dubbomesh.demo.conformance.Conformance;
import io.dubbomesh.demo.conformance.ConformanceService;
import io.dubbomesh.demo.office.Ledger;
import io.dubbomesh.demo.office.OfficeService;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.service.GenericService;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The demo's provider on Dubbo 2.7, whose classes have the names of those of 3 but differ. */
public final class DemoProvider {

    private DemoProvider() {}

    public static void main(String[] args) throws Exception {
        ProviderSettings settings;
        try {
            settings = ProviderSettings.from(System::getProperty, "hessian2");
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        // Otherwise Dubbo takes the first logging library that it finds.
        System.setProperty("dubbo.application.logger", "slf4j");
        start(settings);
        System.out.printf(
                "provider %s: listening on %s:%d, %d threads, %d ms a call%n",
                settings.name(), settings.host(), settings.port(), settings.threads(), settings.delayMs());
        new CountDownLatch(1).await();
    }

    private static void start(ProviderSettings settings) throws IOException {
        DubboBootstrap bootstrap = DubboBootstrap.getInstance()
                .application(application(settings))
                .registry(new RegistryConfig(RegistryConfig.NO_AVAILABLE))
                .protocol(protocol(settings))
                .service(hello(new HelloService(settings.delayMs(), settings.busyMs(), settings.callsFile())));
        if (settings.conformance()) {
            ServiceConfig<ConformanceService> blue =
                    exported("blue", ConformanceService.class, conformance("2.0.0 blue"));
            blue.setVersion("2.0.0");
            blue.setGroup("blue");
            bootstrap
                    .service(exported("plain", ConformanceService.class, conformance("plain")))
                    .service(blue);
        }
        if (settings.office()) {
            OfficeService.all().forEach(each -> bootstrap.service(exported(each)));
            bootstrap.service(ledger());
        }
        if (settings.values()) {
            OfficeService.ofValues(DemoProvider::attachToResult).forEach(each -> bootstrap.service(exported(each)));
        }
        bootstrap.start();
    }

    /** With what a provider may set of its own for a service. */
    private static ServiceConfig<IHelloService> hello(IHelloService service) {
        ServiceConfig<IHelloService> hello = exported("hello", IHelloService.class, service);
        hello.setPath(System.getProperty("path"));
        hello.setParameters(ProviderSettings.parameters(System::getProperty));
        return hello;
    }

    private static ApplicationConfig application(ProviderSettings settings) {
        ApplicationConfig application = new ApplicationConfig(settings.name());
        application.setQosEnable(false);
        return application;
    }

    private static ProtocolConfig protocol(ProviderSettings settings) {
        ProtocolConfig protocol = new ProtocolConfig("dubbo", settings.port());
        protocol.setHost(settings.dubboHost());
        protocol.setContextpath(System.getProperty("contextpath"));
        protocol.setSerialization(settings.serialization());
        protocol.setThreadpool("fixed");
        protocol.setThreads(settings.threads());
        return protocol;
    }

    private static ConformanceService conformance(String version) {
        return new Conformance(
                version, key -> RpcContext.getContext().getAttachment(key), DemoProvider::attachToResult);
    }

    private static void attachToResult(String key, String value) {
        RpcContext.getServerContext().setAttachment(key, value);
    }

    private static <T> ServiceConfig<T> exported(OfficeService<T> service) {
        String id = service.type().getSimpleName() + service.version();
        ServiceConfig<T> exported = exported(id, service.type(), service.service());
        exported.setVersion(service.version());
        exported.setToken(service.token());
        exported.setValidation(service.validated() ? "true" : null);
        return exported;
    }

    private static ServiceConfig<GenericService> ledger() {
        ServiceConfig<GenericService> exported = new ServiceConfig<>();
        exported.setId("ledger");
        exported.setInterface(Ledger.SERVICE);
        exported.setRef(Ledger::call);
        return exported;
    }

    private static <T> ServiceConfig<T> exported(String id, Class<T> type, T service) {
        ServiceConfig<T> exported = new ServiceConfig<>();
        // Only the first of those without an id is exported.
        exported.setId(id);
        exported.setInterface(type);
        exported.setRef(service);
        return exported;
    }
}
