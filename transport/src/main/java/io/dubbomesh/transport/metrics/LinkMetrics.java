package io.dubbomesh.transport.metrics;

/** The counts of one event loop's links to one peer, or to all. Owned by the loop. */
public final class LinkMetrics {
    private static final double NS_PER_S = 1e9;

    private long opened;
    private long open;
    private long receivedBytes;
    private long sentBytes;
    private long roundTrips;
    private double roundTripSeconds;

    /** Called when the HELLO of the peer has come. */
    public void opened() {
        opened++;
        open++;
    }

    /** Called when a link that was {@link #opened} is gone. */
    public void closed() {
        open--;
    }

    public void received(int bytes) {
        receivedBytes += bytes;
    }

    public void sent(long bytes) {
        sentBytes += bytes;
    }

    /** Records the time from a PING to its PONG. */
    public void roundTrip(long durationNs) {
        roundTrips++;
        roundTripSeconds += durationNs / NS_PER_S;
    }

    public long linksOpened() {
        return opened;
    }

    public long linksOpen() {
        return open;
    }

    public long receivedBytes() {
        return receivedBytes;
    }

    public long sentBytes() {
        return sentBytes;
    }

    public long roundTrips() {
        return roundTrips;
    }

    public double roundTripSeconds() {
        return roundTripSeconds;
    }
}
