package io.dubbomesh.protocol;

/**
 * The method that a call is for: everything in a request that repeats from call to call.
 *
 * @param service    the Java interface, {@code com.example.Greeter}
 * @param method     the method's name
 * @param descriptor the parameter types as JVM descriptors, concatenated, with type arguments if the client gives them
 *                   ({@code Ljava/util/List<Ljava/lang/Long;>;}, as in a JVM signature); empty for none,
 *                   {@link #UNKNOWN_TYPES} if the client does not give the types
 * @param version    the service's version, empty for none ({@code 0.0.0} is none too)
 * @param group      the service's group, empty for none
 */
public record MethodName(String service, String method, String descriptor, String version, String group) {

    /** Dubbo's version of a service without a version. */
    public static final String NO_VERSION = "0.0.0";

    /** The descriptor of a call whose client does not give the parameter types: the provider's side finds them. */
    public static final String UNKNOWN_TYPES = "?";

    /** The method, without parameters, that lists the methods of a service; the provider agent answers it. */
    public static final String DESCRIBE = "$describe";

    public MethodName {
        if (version.equals(NO_VERSION)) {
            version = "";
        }
    }

    // Written out, as hashCode is: the JVM links those that the compiler makes for a record by method handles at each
    // start, which takes it milliseconds.
    @Override
    public boolean equals(Object other) {
        return other instanceof MethodName that
                && service.equals(that.service)
                && method.equals(that.method)
                && descriptor.equals(that.descriptor)
                && version.equals(that.version)
                && group.equals(that.group);
    }

    @Override
    public int hashCode() {
        int hash = service.hashCode();
        hash = 31 * hash + method.hashCode();
        hash = 31 * hash + descriptor.hashCode();
        hash = 31 * hash + version.hashCode();
        hash = 31 * hash + group.hashCode();
        return hash;
    }

    @Override
    public String toString() {
        return service
                + '.'
                + method
                + '('
                + descriptor
                + ')'
                + (version.isEmpty() ? "" : " version " + version)
                + (group.isEmpty() ? "" : " group " + group);
    }
}
