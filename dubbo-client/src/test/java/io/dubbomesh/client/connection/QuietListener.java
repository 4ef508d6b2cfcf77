package io.dubbomesh.client.connection;

import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;

/** Takes every answer, and does nothing else; calls may be said to wait for answers. */
class QuietListener implements ResponseListener, UpstreamListener {
    boolean awaitsAnswers;

    @Override
    public boolean answered(ProviderConnection from, ByteBuf in, int offset) {
        return true;
    }

    @Override
    public void notExecuted(ProviderConnection from, long requestId, String unavailability) {}

    @Override
    public void failed(ProviderConnection from, long requestId, Outcome outcome, String detail) {}

    @Override
    public void hasRoom(ProviderConnection from, int calls) {}

    @Override
    public boolean awaitsAnswers(ProviderConnection from) {
        return awaitsAnswers;
    }

    @Override
    public void checked(ProviderConnection from) {}

    @Override
    public void connectionLost(ProviderConnection from, String reason) {}

    @Override
    public void stateChanged() {}

    @Override
    public void attemptFailed(boolean accepted, String how) {}

    @Override
    public void silenceChanged() {}

    @Override
    public void writabilityChanged() {}
}
