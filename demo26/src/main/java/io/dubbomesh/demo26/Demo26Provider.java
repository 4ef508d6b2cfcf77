package io.dubbomesh.demo26;

import com.alibaba.dubbo.config.ApplicationConfig;
import com.alibaba.dubbo.config.ProtocolConfig;
import com.alibaba.dubbo.config.RegistryConfig;
import com.alibaba.dubbo.config.ServiceConfig;
import com.alibaba.dubbo.performance.demo.provider.IHelloService;
import io.dubbomesh.demo.api.HelloService;
import io.dubbomesh.demo.api.ProviderSettings;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;

/** The provider of the 2018 Dubbo Mesh benchmark in kind: Dubbo 2.6.1 on Netty 4.0, whose service speaks fastjson. */
public final class Demo26Provider implements AutoCloseable {
    private final ServiceConfig<IHelloService> exported;
    private final HelloService service;

    private Demo26Provider(ServiceConfig<IHelloService> exported, HelloService service) {
        this.exported = exported;
        this.service = service;
    }

    public static void main(String[] args) throws Exception {
        ProviderSettings settings;
        try {
            settings = ProviderSettings.from(System::getProperty, "fastjson");
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(1);
            return;
        }
        start(settings);
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

    /** Returns when calls are answered. One at a time in a JVM: Dubbo 2.6 keeps what it exports in statics. */
    public static Demo26Provider start(ProviderSettings settings) throws IOException {
        // Otherwise Dubbo takes the first logging library that it finds, on our class path the one without a set-up.
        System.setProperty("dubbo.application.logger", "slf4j");
        HelloService service = new HelloService(settings.delayMs(), settings.callsFile());
        ProtocolConfig protocol = new ProtocolConfig("dubbo", settings.port());
        protocol.setHost(settings.dubboHost());
        protocol.setServer("netty4");
        protocol.setSerialization(settings.serialization());
        protocol.setThreadpool("fixed");
        protocol.setThreads(settings.threads());
        ApplicationConfig application = new ApplicationConfig(settings.name());
        application.setQosEnable(false);
        ServiceConfig<IHelloService> exported = new ServiceConfig<>();
        exported.setApplication(application);
        exported.setRegistry(new RegistryConfig(RegistryConfig.NO_AVAILABLE));
        exported.setProtocol(protocol);
        exported.setInterface(IHelloService.class);
        exported.setRef(service);
        exported.export();
        return new Demo26Provider(exported, service);
    }

    @Override
    public void close() throws IOException {
        exported.unexport();
        ProtocolConfig.destroyAll();
        service.close();
    }
}
