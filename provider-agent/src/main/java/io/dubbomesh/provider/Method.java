package io.dubbomesh.provider;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.dubbo.DubboRequest;
import io.dubbomesh.protocol.dubbo.Serialization;

/**
 * What a method id stands for: the request ready to be filled in, or why there is none.
 *
 * @param request null where {@code refusal} is not
 */
record Method(DubboRequest request, CallException refusal) {

    static Method of(MethodName name, ServedServices services, Serialization serialization) {
        try {
            services.check(name);
            return new Method(DubboRequest.prepare(name, serialization), null);
        } catch (CallException e) {
            return new Method(null, e);
        }
    }
}
