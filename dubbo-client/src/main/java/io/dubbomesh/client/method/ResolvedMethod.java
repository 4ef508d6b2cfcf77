package io.dubbomesh.client.method;

import io.dubbomesh.client.call.CalledMethod;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;

/**
 * A method with its prepared request, or the reason for which its calls are refused. Prepared again when the
 * definitions or tokens of the services have changed. Owned by one event loop.
 */
public final class ResolvedMethod {
    private final MethodName asked;
    private final MethodCatalog catalog;
    private int revision;
    /** The name in the version and group that calls go to. */
    private MethodName name;

    private CalledMethod called;
    private CallException refusal;
    private boolean awaitsTypes;

    public ResolvedMethod(MethodName name, MethodCatalog catalog) {
        asked = name;
        this.name = name;
        this.catalog = catalog;
        prepare();
    }

    private void prepare() {
        revision = catalog.revision();
        called = null;
        refusal = null;
        awaitsTypes = false;
        try {
            name = catalog.resolve(asked);
            awaitsTypes = catalog.awaitsTypes(name);
            if (!isDescription()) {
                called = new CalledMethod(name, catalog.prepare(name), catalog.metrics());
            }
        } catch (CallException e) {
            refusal = e;
        }
    }

    /** Returns the name with the version and group that calls go to, where the peer named several. */
    public MethodName name() {
        return name;
    }

    /** Returns whether the agent itself answers, with what it knows about the service. */
    public boolean isDescription() {
        return asked.method().equals(MethodName.DESCRIBE);
    }

    /** Returns null if there is a {@link #refusal}, and for a {@linkplain #isDescription description}. */
    public CalledMethod called() {
        refresh();
        return called;
    }

    /** Returns null if calls are taken. */
    public CallException refusal() {
        refresh();
        return refusal;
    }

    /** Returns whether its requests wait until it is known what is to be known of its service, or that it is not. */
    public boolean awaitsTypes() {
        refresh();
        return awaitsTypes && refusal == null;
    }

    private void refresh() {
        if (revision != catalog.revision()) {
            prepare();
        }
    }
}
