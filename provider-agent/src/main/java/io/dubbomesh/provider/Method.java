package io.dubbomesh.provider;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.provider.discovery.ServiceDefinitions;

/**
 * What a method id stands for: the request ready to be filled in, or why there is none. Made anew when the provider has told more about its
 * services. Owned by one event loop.
 */
final class Method {
    private final MethodName name;
    private final LoopState loop;
    private ServiceDefinitions madeFrom;
    private DubboRequest request;
    private CallException refusal;

    Method(MethodName name, LoopState loop) {
        this.name = name;
        this.loop = loop;
        make();
    }

    private void make() {
        madeFrom = loop.definitions();
        request = null;
        refusal = null;
        try {
            loop.services().check(name);
            if (!isDescription()) {
                request = DubboRequest.prepare(name, loop.settings().serialization(), madeFrom.definition(name));
            }
        } catch (CallException e) {
            refusal = e;
        }
    }

    MethodName name() {
        return name;
    }

    /** Whether the agent itself answers, with what it knows about the service. */
    boolean isDescription() {
        return name.method().equals(MethodName.DESCRIBE);
    }

    /** Null if there is a {@link #refusal}. */
    DubboRequest request() {
        refresh();
        return request;
    }

    /** Null if calls are taken. */
    CallException refusal() {
        refresh();
        return refusal;
    }

    private void refresh() {
        if (madeFrom != loop.definitions()) {
            make();
        }
    }
}
