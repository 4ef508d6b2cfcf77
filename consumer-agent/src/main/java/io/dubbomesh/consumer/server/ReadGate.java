package io.dubbomesh.consumer.server;

import io.netty.channel.Channel;

/**
 * Decides whether a connection takes more of what its client sends. It does not while a large request waits for room in
 * the memory budget, while the client does not read its answers or has too many requests in flight, and behind a
 * response in pieces. Owned by the event loop.
 * <pre>
 *                  no room for the body that the client asks leave to send
 *   FREE ------------------------------------------> CONTINUE_DUE
 *    |                                                    |
 *    | no room for a body that comes                      | still no room
 *    v                                                    v
 *   ROOM                                            ROOM_TO_CONTINUE
 *
 *   each of them to FREE when there is room, with a 100 where that is due; when the request is complete;
 *                        and when the connection takes no more requests
 * </pre>
 */
final class ReadGate {
    /** The condition that the current request waits for. */
    enum Wait {
        FREE,
        /** The request for the body, which is due to its client. */
        CONTINUE_DUE,
        /** Room for the rest of it; nothing is read before. */
        ROOM,
        /** Room for its body, which its client is asked for then; nothing is read before. */
        ROOM_TO_CONTINUE
    }

    private final Channel channel;
    private final ResponseQueue responses;
    private final int maxPipelined;
    private Wait wait = Wait.FREE;
    private long sinceNs;

    ReadGate(Channel channel, ResponseQueue responses, int maxPipelined) {
        this.channel = channel;
        this.responses = responses;
        this.maxPipelined = maxPipelined;
    }

    Wait state() {
        return wait;
    }

    /** Returns whether another request may be taken, or more of the current one. */
    boolean isOpen() {
        return !isAwaitingRoom()
                && responses.size() < maxPipelined
                && channel.isWritable()
                && responses.mayGrow()
                && !responses.isStreaming();
    }

    /** Switches the reading of the channel. */
    void setReading(boolean wanted) {
        if (wanted != isReading()) {
            channel.config().setAutoRead(wanted);
        }
    }

    boolean isReading() {
        return channel.config().isAutoRead();
    }

    boolean isAwaitingRoom() {
        return wait == Wait.ROOM || wait == Wait.ROOM_TO_CONTINUE;
    }

    /** Returns whether the request has waited for room for longer than this. */
    boolean hasAwaitedRoomFor(long ns, long nowNs) {
        return isAwaitingRoom() && nowNs - sinceNs > ns;
    }

    /** Called when the client waits to be asked for a body for which there is no room. */
    void continueLater() {
        if (wait == Wait.FREE) {
            wait = Wait.CONTINUE_DUE;
        }
    }

    /** Called when there is no room for the rest of a request; returns whether it waits from now on. */
    boolean awaitRoom(long nowNs) {
        if (isAwaitingRoom()) {
            return false;
        }
        wait = wait == Wait.CONTINUE_DUE ? Wait.ROOM_TO_CONTINUE : Wait.ROOM;
        sinceNs = nowNs;
        return true;
    }

    /** Ends any wait; returns whether the client waits to be asked for the body. */
    boolean free() {
        boolean isContinueDue = wait == Wait.CONTINUE_DUE || wait == Wait.ROOM_TO_CONTINUE;
        wait = Wait.FREE;
        return isContinueDue;
    }
}
