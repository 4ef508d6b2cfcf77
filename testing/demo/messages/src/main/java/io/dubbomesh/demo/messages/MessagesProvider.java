package io.dubbomesh.demo.messages;

import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.ApplicationConfig;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.config.bootstrap.DubboBootstrap;

import java.util.concurrent.CountDownLatch;

/** A provider of a service that is defined by protobuf, by Triple at the port {@code -Dport}. */
public final class MessagesProvider {
    private MessagesProvider() {}

    private static final class Echo extends DubboRecordsTriple.RecordsImplBase {
        @Override
        public Record echo(Record request) {
            return request;
        }

        @Override
        public Record fail(Record request) {
            throw new IllegalStateException(request.getName());
        }

        @Override
        public void repeat(Record request, StreamObserver<Record> responses) {
            for (int i = 0; i < request.getInt32(); i++) {
                responses.onNext(request.toBuilder().setInt32(i).build());
            }
            responses.onCompleted();
        }
    }

    public static void main(String[] args) throws Exception {
        System.setProperty("dubbo.application.logger", "slf4j");
        int port = Integer.getInteger("port");
        ApplicationConfig application = new ApplicationConfig("messages");
        application.setQosEnable(false);
        ProtocolConfig protocol = new ProtocolConfig("tri", port);
        protocol.setHost("127.0.0.1");
        DubboBootstrap.getInstance()
                .application(application)
                .registry(new RegistryConfig(RegistryConfig.NO_AVAILABLE))
                .protocol(protocol)
                .service(service(""))
                .service(service("2.0.0"))
                .start();
        System.out.println("provider: listening on 127.0.0.1:" + port);
        new CountDownLatch(1).await();
    }

    private static ServiceConfig<Records> service(String version) {
        ServiceConfig<Records> service = new ServiceConfig<>();
        service.setInterface(Records.class);
        service.setRef(new Echo());
        service.setVersion(version.isEmpty() ? null : version);
        return service;
    }
}
