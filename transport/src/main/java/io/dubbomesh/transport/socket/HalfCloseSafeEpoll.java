package io.dubbomesh.transport.socket;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;

/**
 * Netty's epoll handler, without a fault that it has from 4.2.14 to 4.2.20 (netty/netty#16689): a socket that waits for
 * no event is taken out of epoll, but counts as registered, so that the next wait for an event fails with ENOENT and
 * the channel's output is shut down. That is how a client which ends its output first lost the rest of a response that
 * did not fit the socket's buffer. Here a socket that waits for no event stays registered, edge-triggered, which
 * reports its errors once.
 */
final class HalfCloseSafeEpoll implements IoHandler {
    private final IoHandler epoll;

    private HalfCloseSafeEpoll(IoHandler epoll) {
        this.epoll = epoll;
    }

    static IoHandlerFactory newFactory() {
        IoHandlerFactory factory = EpollIoHandler.newFactory();
        return executor -> new HalfCloseSafeEpoll(factory.newHandler(executor));
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return new Registration(epoll.register(handle));
    }

    @Override
    public void initialize() {
        epoll.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        return epoll.run(context);
    }

    @Override
    public void prepareToDestroy() {
        epoll.prepareToDestroy();
    }

    @Override
    public void destroy() {
        epoll.destroy();
    }

    @Override
    public void wakeup() {
        epoll.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return epoll.isCompatible(handleType);
    }

    private record Registration(IoRegistration epoll) implements IoRegistration {
        @Override
        public long submit(IoOps ops) {
            return epoll.submit(EpollIoOps.NONE.equals(ops) ? EpollIoOps.EPOLLET : ops);
        }

        @Override
        public <T> T attachment() {
            return epoll.attachment();
        }

        @Override
        public boolean isValid() {
            return epoll.isValid();
        }

        @Override
        public boolean cancel() {
            return epoll.cancel();
        }
    }
}
