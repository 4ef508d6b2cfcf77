package io.dubbomesh.protocol;

import java.util.List;

/** A service that is defined by protobuf. Immutable; used by all threads. Equal if made of the same descriptors. */
public interface MessageService {

    /** Returns the service's name, {@code helloworld.Greeter}. */
    String name();

    /** Returns its methods in the order in which they are declared. */
    List<MessageMethod> methods();

    /**
     * Returns the method of this name, which may also begin with a small letter, as that of the Java interface does
     * ({@code sayHello}); null if there is none.
     */
    MessageMethod method(String name);
}
