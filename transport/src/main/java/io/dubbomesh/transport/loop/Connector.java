package io.dubbomesh.transport.loop;

import io.dubbomesh.runtime.Backoff;
import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.SocketFailure;
import io.netty.channel.EventLoop;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.Future;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Opens a connection from one event loop to a host and port, and tries again with back-off as long as that fails. The
 * name is resolved for each attempt. Owned by the loop; every callback is on it.
 */
public final class Connector {
    /** Less than the system takes to give up a silent name server; the question goes on for the next attempt. */
    private static final long RESOLVE_MS = 5_000;

    private final NameResolver resolver;
    private final EventLoop loop;
    private final HostPort address;
    private final Backoff backoff;
    private final Function<InetSocketAddress, ? extends Future<?>> open;
    private final Consumer<String> failed;
    private boolean closed;

    /**
     * @param open starts to open a connection, whose own handler is told when it is open; the future completes on the
     *     loop
     * @param failed is told why an attempt failed; another one follows
     */
    public Connector(
            EventLoop loop,
            HostPort address,
            Backoff backoff,
            Function<InetSocketAddress, ? extends Future<?>> open,
            Consumer<String> failed) {
        this(NameResolver.SYSTEM, loop, address, backoff, open, failed);
    }

    Connector(
            NameResolver resolver,
            EventLoop loop,
            HostPort address,
            Backoff backoff,
            Function<InetSocketAddress, ? extends Future<?>> open,
            Consumer<String> failed) {
        this.resolver = resolver;
        this.loop = loop;
        this.address = address;
        this.backoff = backoff;
        this.open = open;
        this.failed = failed;
    }

    /** Makes an attempt now. */
    public void connect() {
        if (closed) {
            return;
        }
        try {
            resolve();
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            // Otherwise no other attempt would follow.
            attemptFailed(e.toString());
        }
    }

    private void resolve() {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(address.host());
        if (literal != null) {
            connectTo(literalAddress(literal));
        } else {
            CompletableFuture<InetAddress> answer = resolver.resolve(address.host());
            Future<?> timeout = loop.schedule(() -> answer.cancel(false), RESOLVE_MS, TimeUnit.MILLISECONDS);
            answer.whenCompleteAsync(
                    (resolved, failure) -> {
                        timeout.cancel(false);
                        resolved(resolved, failure);
                    },
                    loop);
        }
    }

    private InetSocketAddress literalAddress(byte[] literal) {
        try {
            return new InetSocketAddress(InetAddress.getByAddress(literal), address.port());
        } catch (UnknownHostException e) {
            throw new AssertionError("an address of 4 or 16 bytes", e);
        }
    }

    private void resolved(InetAddress resolved, Throwable failure) {
        if (failure == null) {
            connectTo(new InetSocketAddress(resolved, address.port()));
        } else if (failure instanceof CancellationException) {
            attemptFailed("the name was not resolved within " + RESOLVE_MS / 1_000 + " s");
        } else if (failure instanceof UnknownHostException) {
            attemptFailed("unknown host");
        } else if (failure instanceof RejectedExecutionException) {
            attemptFailed(failure.getMessage());
        } else {
            FatalErrors.check(failure);
            attemptFailed(failure.toString());
        }
    }

    private void connectTo(InetSocketAddress resolved) {
        if (closed) {
            return;
        }
        Future<?> opened;
        try {
            opened = open.apply(resolved);
        } catch (RuntimeException | Error e) {
            FatalErrors.check(e);
            attemptFailed(e.toString());
            return;
        }
        opened.addListener(done -> {
            if (!done.isSuccess()) {
                attemptFailed(reason(done.cause(), resolved));
            }
        });
    }

    /**
     * Returns the reason without the system call and the address, which the report names: {@code Connection refused}.
     */
    private static String reason(Throwable cause, InetSocketAddress address) {
        String reason = SocketFailure.reason(cause);
        String suffix = ": " + address;
        return reason.endsWith(suffix) ? reason.substring(0, reason.length() - suffix.length()) : reason;
    }

    private void attemptFailed(String reason) {
        if (!closed) {
            failed.accept(reason);
            connectLater();
        }
    }

    /** Makes an attempt after a delay, which grows from one to the next until {@link #succeeded}. */
    public void connectLater() {
        if (!closed && !loop.isShuttingDown()) {
            loop.schedule(this::connect, backoff.nextMs(), TimeUnit.MILLISECONDS);
        }
    }

    /**
     * Called when the connection works: the next attempt, should there be one, is made without delay or after the
     * shortest one.
     */
    public void succeeded() {
        backoff.reset();
    }

    /** Makes no more attempts; what is open stays so. */
    public void close() {
        closed = true;
    }
}
