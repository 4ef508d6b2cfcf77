package io.dubbomesh.micro;

import com.alibaba.com.caucho.hessian.io.Hessian2Input;
import com.alibaba.com.caucho.hessian.io.Hessian2Output;
import com.alibaba.com.caucho.hessian.io.SerializerFactory;

import java.io.InputStream;
import java.io.OutputStream;

/** The library that Dubbo reads and writes with; what it learns of classes is kept, as Dubbo does. */
final class HessianLite {
    private static final SerializerFactory SERIALIZERS = new SerializerFactory();

    private HessianLite() {}

    static Hessian2Output output(OutputStream to) {
        Hessian2Output output = new Hessian2Output(to);
        output.setSerializerFactory(SERIALIZERS);
        return output;
    }

    static Hessian2Input input(InputStream from) {
        Hessian2Input input = new Hessian2Input(from);
        input.setSerializerFactory(SERIALIZERS);
        return input;
    }
}
