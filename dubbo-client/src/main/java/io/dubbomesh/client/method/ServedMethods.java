package io.dubbomesh.client.method;

import io.dubbomesh.client.connection.ProviderProtocol;
import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.ArgumentValidation;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.client.token.ServiceTokens;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.protocol.request.ExportedAs;
import io.dubbomesh.protocol.request.RequestFormat;
import io.dubbomesh.protocol.triple.TripleRequest;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.transport.metrics.CallMetrics;

import java.util.Map;

/**
 * The methods of the services that a provider agent serves: what is needed to prepare them are these services, what is
 * known of their types, and their tokens. Owned by one event loop.
 */
public final class ServedMethods implements MethodCatalog {
    private final Serialization serialization;
    private final HostPort provider;
    private final boolean isSecure;
    private final CallMetrics metrics;
    private final ArgumentValidation validation;
    private ProviderProtocol protocol = ProviderProtocol.DUBBO;
    private ServedServices services;
    private ServiceDefinitions definitions = ServiceDefinitions.NONE;
    private ServiceTokens tokens = ServiceTokens.NONE;
    /** Counts up with each change. */
    private int revision;

    /** Makes the methods of a provider without TLS that alone validates arguments. */
    public ServedMethods(ServedServices services, Serialization serialization, HostPort provider, CallMetrics metrics) {
        this(services, serialization, provider, false, metrics, ArgumentValidation.NEVER);
    }

    /**
     * @param provider   named by requests of Triple
     * @param isSecure   whether the provider is called with TLS
     * @param metrics    where calls count
     * @param validation of arguments; what the provider has registered is not known
     */
    public ServedMethods(
            ServedServices services,
            Serialization serialization,
            HostPort provider,
            boolean isSecure,
            CallMetrics metrics,
            ArgumentValidation validation) {
        this.provider = provider;
        this.isSecure = isSecure;
        this.validation = validation;
        this.services = services;
        this.metrics = metrics;
        this.serialization = serialization;
    }

    /**
     * Takes the result of a discovery. Methods that were prepared before are prepared again with their next call.
     *
     * @param nowServed of the services those first that the provider exports
     */
    public void define(ServiceDefinitions discovered, ServedServices nowServed) {
        definitions = discovered;
        services = nowServed;
        revision++;
    }

    /** Takes the tokens of the services, likewise. */
    public void use(ServiceTokens changed) {
        tokens = changed;
        revision++;
    }

    /** Has methods prepared for this protocol, those that were prepared for another one with their next call. */
    public void callBy(ProviderProtocol now) {
        if (now != protocol) {
            protocol = now;
            revision++;
        }
    }

    @Override
    public CallMetrics metrics() {
        return metrics;
    }

    @Override
    public int revision() {
        return revision;
    }

    @Override
    public ServiceDefinition definition(MethodName name) {
        return definitions.definition(name);
    }

    /** See {@link ServedServices#resolve}. */
    @Override
    public MethodName resolve(MethodName name) throws CallException {
        return services.resolve(name);
    }

    @Override
    public DubboRequest prepare(MethodName name) throws CallException {
        String token = tokens.token(name.service(), name.version(), name.group());
        String path = services.path(name.service(), name.version(), name.group());
        ExportedAs exported = new ExportedAs(path, token, validates(name));
        return protocol == ProviderProtocol.TRIPLE
                ? DubboRequest.prepare(name, triple(), definition(name), exported)
                : DubboRequest.prepare(name, serialization, definition(name), exported);
    }

    private RequestFormat.Factory triple() {
        String authority = provider.toString();
        return definitions.readsDeclaredTypes()
                ? TripleRequest.to(authority, isSecure, serialization)
                : TripleRequest.toDubbo30(authority, isSecure, serialization);
    }

    @Override
    public boolean validates(MethodName name) {
        return validation.isOf(name.method(), Map.of());
    }
}
