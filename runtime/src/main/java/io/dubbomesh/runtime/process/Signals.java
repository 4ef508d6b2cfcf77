package io.dubbomesh.runtime.process;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.function.IntConsumer;

/**
 * Handles SIGTERM and SIGINT in place of the JVM, which would run its shutdown hooks and exit with code 143 or 130. The
 * class for it, sun.misc.Signal of the module jdk.unsupported, is used by reflection, because the compiler warns of
 * every use and the warning cannot be suppressed.
 */
final class Signals {
    private static final String[] NAMES = {"TERM", "INT"};

    private Signals() {}

    /**
     * Calls {@code onSignal} with the number of each such signal, each time on a new thread.
     *
     * @throws ReflectiveOperationException if this JVM does not allow it, as with -Xrs
     */
    static void handle(IntConsumer onSignal) throws ReflectiveOperationException {
        Class<?> signalClass = Class.forName("sun.misc.Signal");
        Class<?> handlerClass = Class.forName("sun.misc.SignalHandler");
        InvocationHandler calls = (proxy, method, arguments) -> switch (method.getName()) {
            case "handle" -> {
                onSignal.accept((int) signalClass.getMethod("getNumber").invoke(arguments[0]));
                yield null;
            }
            case "equals" -> proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "signal handler";
        };
        Object handler = Proxy.newProxyInstance(Signals.class.getClassLoader(), new Class<?>[] {handlerClass}, calls);
        for (String name : NAMES) {
            Object signal = signalClass.getConstructor(String.class).newInstance(name);
            signalClass.getMethod("handle", signalClass, handlerClass).invoke(null, signal, handler);
        }
    }
}
