package io.dubbomesh.demo.dubbo3;

import com.alibaba.dubbo.performance.demo.provider.IHelloService;
import io.dubbomesh.demo.api.HelloService;
import io.dubbomesh.demo.api.ProviderSettings;
import io.dubbomesh.demo.conformance.Conformance;
import io.dubbomesh.demo.conformance.ConformanceService;
import io.dubbomesh.demo.office.Ledger;
import io.dubbomesh.demo.office.OfficeService;
import io.dubbomesh.demo.shop.DemoShop;
import io.dubbomesh.demo.shop.Shop;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.service.GenericService;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A real Apache Dubbo 3 provider of {@link IHelloService} that listens on its one port and needs nothing else. */
public final class DemoProvider implements AutoCloseable {
    private static final long LOOK_MS = 50;

    private final FrameworkModel framework;
    private final ModuleModel module;
    private final HelloService service;

    private DemoProvider(FrameworkModel framework, ModuleModel module, HelloService service) {
        this.framework = framework;
        this.module = module;
        this.service = service;
    }

    public static void main(String[] args) throws Exception {
        ProviderSettings settings;
        try {
            settings = ProviderSettings.from(System::getProperty, "hessian2");
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        // Otherwise Dubbo tries one logging library after the other and logs that.
        System.setProperty("dubbo.application.logger", "slf4j");
        DemoProvider provider = start(settings);
        System.out.printf(
                "provider %s: listening on %s:%d, %d threads, %d ms a call%n",
                settings.name(), settings.host(), settings.port(), settings.threads(), settings.delayMs());
        String lateFile = System.getProperty("late.file");
        if (lateFile != null) {
            provider.followFile(Path.of(lateFile), settings);
        }
        new CountDownLatch(1).await();
    }

    /** Exports one more service for as long as the file exists. */
    private void followFile(Path file, ProviderSettings settings) throws InterruptedException {
        ServiceConfig<ConformanceService> late = null;
        while (true) {
            if (Files.exists(file) && late == null) {
                late = new ServiceConfig<>(module);
                late.setInterface(ConformanceService.class);
                late.setRef(conformance("late"));
                late.setSerialization(settings.serialization());
                late.export();
            } else if (!Files.exists(file) && late != null) {
                late.unexport();
                late = null;
            }
            Thread.sleep(LOOK_MS);
        }
    }

    /** Returns when calls are answered. */
    public static DemoProvider start(ProviderSettings settings) throws IOException {
        // Not by their setters: 3.0 and 3.1 lack the one or the other.
        System.setProperty("dubbo.application.serialize-check-status", "STRICT");
        System.setProperty("dubbo.protocol.prefer-serialization", settings.serialization());
        // A separate Dubbo, so that a test can run several in its JVM.
        FrameworkModel framework = new FrameworkModel();
        HelloService service = new HelloService(settings.delayMs(), settings.busyMs(), settings.callsFile());
        DubboBootstrap bootstrap = DubboBootstrap.newInstance(framework)
                .application(application(settings))
                .registry(new RegistryConfig(RegistryConfig.NO_AVAILABLE))
                .protocol(protocol(settings))
                .service(hello(service, settings))
                .service(atSecondPort(exported(Shop.class, shop("shop"), settings), settings))
                .service(blue(exported(Shop.class, shop("blue shop"), settings)));
        if (settings.conformance()) {
            bootstrap
                    .service(exported(ConformanceService.class, conformance("plain"), settings))
                    .service(blue(exported(ConformanceService.class, conformance("2.0.0 blue"), settings)));
        }
        if (protocol(settings).getName().equals("tri")) {
            bootstrap.service(exported(TickerService.class, new DemoTicker(), settings));
        }
        if (settings.office()) {
            OfficeService.all().forEach(each -> bootstrap.service(exported(each, settings)));
            bootstrap.service(ledger(settings));
        }
        if (settings.values()) {
            OfficeService.ofValues(DemoProvider::attachToResult)
                    .forEach(each -> bootstrap.service(exported(each, settings)));
        }
        bootstrap.start();
        return new DemoProvider(framework, bootstrap.getApplicationModel().getDefaultModule(), service);
    }

    /** With what a provider may set of its own for a service. */
    private static ServiceConfig<IHelloService> hello(IHelloService service, ProviderSettings settings) {
        ServiceConfig<IHelloService> hello = exported(IHelloService.class, service, settings);
        hello.setPath(System.getProperty("path"));
        hello.setParameters(ProviderSettings.parameters(System::getProperty));
        return hello;
    }

    private static ApplicationConfig application(ProviderSettings settings) {
        ApplicationConfig application = new ApplicationConfig(settings.name());
        application.setQosEnable(false);
        return application;
    }

    /** If there is one, for another protocol of the same name. */
    private static <T> ServiceConfig<T> atSecondPort(ServiceConfig<T> service, ProviderSettings settings) {
        Integer secondPort = Integer.getInteger("second.port");
        if (secondPort != null) {
            ProtocolConfig second = protocol(settings, secondPort);
            second.setId("second");
            service.setProtocol(second);
        }
        return service;
    }

    private static ProtocolConfig protocol(ProviderSettings settings) {
        return protocol(settings, settings.port());
    }

    private static ProtocolConfig protocol(ProviderSettings settings, int port) {
        ProtocolConfig protocol = new ProtocolConfig(System.getProperty("protocol", "dubbo"), port);
        protocol.setHost(settings.dubboHost());
        protocol.setContextpath(System.getProperty("contextpath"));
        protocol.setSerialization(settings.serialization());
        protocol.setThreadpool("fixed");
        protocol.setThreads(settings.threads());
        return protocol;
    }

    private static Shop shop(String name) {
        return new DemoShop(name, key -> RpcContext.getServerAttachment().getAttachment(key));
    }

    private static ConformanceService conformance(String version) {
        return new Conformance(
                version, key -> RpcContext.getServerAttachment().getAttachment(key), DemoProvider::attachToResult);
    }

    private static void attachToResult(String key, String value) {
        RpcContext.getServerContext().setAttachment(key, value);
    }

    private static <T> ServiceConfig<T> exported(OfficeService<T> service, ProviderSettings settings) {
        ServiceConfig<T> exported = exported(service.type(), service.service(), settings);
        exported.setVersion(service.version());
        exported.setToken(service.token());
        exported.setValidation(service.validated() ? "true" : null);
        return exported;
    }

    private static ServiceConfig<GenericService> ledger(ProviderSettings settings) {
        ServiceConfig<GenericService> exported = new ServiceConfig<>();
        exported.setInterface(Ledger.SERVICE);
        exported.setRef(Ledger::call);
        exported.setSerialization(settings.serialization());
        return exported;
    }

    private static <T> ServiceConfig<T> exported(Class<T> type, T service, ProviderSettings settings) {
        ServiceConfig<T> exported = new ServiceConfig<>();
        exported.setInterface(type);
        exported.setRef(service);
        exported.setSerialization(settings.serialization());
        return exported;
    }

    private static <T> ServiceConfig<T> blue(ServiceConfig<T> service) {
        service.setVersion("2.0.0");
        service.setGroup("blue");
        return service;
    }

    @Override
    public void close() throws IOException {
        framework.destroy();
        service.close();
    }
}
