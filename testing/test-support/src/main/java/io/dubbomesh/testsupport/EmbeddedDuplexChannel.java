package io.dubbomesh.testsupport;

import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.DuplexChannel;

/** A channel without a socket whose output can be ended alone. */
public class EmbeddedDuplexChannel extends EmbeddedChannel implements DuplexChannel {
    private boolean outputEnded;

    @Override
    public boolean isInputShutdown() {
        return false;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return newSucceededFuture();
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        return promise.setSuccess();
    }

    @Override
    public boolean isOutputShutdown() {
        return outputEnded;
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        outputEnded = true;
        return promise.setSuccess();
    }

    @Override
    public boolean isShutdown() {
        return false;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdownOutput();
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        return shutdownOutput(promise);
    }
}
