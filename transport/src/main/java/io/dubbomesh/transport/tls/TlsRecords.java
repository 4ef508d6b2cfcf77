package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

/**
 * Stands in front of TLS and looks at the headers of records (RFC 8446, 5.1). TLS keeps a record until all of it has come: what it keeps counts in the
 * memory budget. Records that bring no data, such as empty ones and updates of keys, cost work and nobody else sees them: a connection with
 * too many of them in a row ends. Owned by the connection's event loop.
 */
final class TlsRecords extends ChannelInboundHandlerAdapter {
    static final int MAX_WITHOUT_DATA = 32;

    private static final int HEADER = 5;
    private static final int LENGTH_OFFSET = 3;
    /** Of TLS 1.2; TLS 1.3 has less. */
    private static final int MAX_BODY = (1 << 14) + 2048;
    /** What a read of a few bytes takes. */
    private static final int LEAST_BUFFER = 2048;

    /** What becomes of a connection whose incomplete record finds no room. */
    enum NoRoom {
        CLOSE,
        /** It only counts: the peer is known, and a link is worth more than the record. */
        KEEP
    }

    private final MemoryBudget memory;
    private final NoRoom noRoom;
    /** Of the record that is coming: how many bytes of it came, and how long its body is. */
    private int come;

    private int bodyLength;
    private int counted;
    private int withoutData;
    /** When its first byte came. */
    private long incompleteSinceNs;

    private boolean open;

    TlsRecords(MemoryBudget memory, NoRoom noRoom) {
        this.memory = memory;
        this.noRoom = noRoom;
    }

    /** The handshake is done. */
    void opened() {
        open = true;
        withoutData = 0;
    }

    /** The handlers behind TLS got data. */
    void dataCame() {
        withoutData = 0;
    }

    /** Whether a record has been coming for so long, and is not there. */
    boolean isIncompleteFor(long nowNs, long ns) {
        return come > 0 && nowNs - incompleteSinceNs > ns;
    }

    /** What has come of a record that is not there yet. */
    int incompleteBytes() {
        return come;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        look((ByteBuf) message);
        if (isTooLong() || !count()) {
            ((ByteBuf) message).release();
            ctx.close();
            return;
        }
        ctx.fireChannelRead(message);
        if (open && withoutData > MAX_WITHOUT_DATA) {
            ctx.close();
        }
    }

    private void look(ByteBuf in) {
        int end = in.writerIndex();
        boolean begins = come == 0;
        for (int at = in.readerIndex(); at < end && !isTooLong(); ) {
            if (come < HEADER) {
                int value = in.getUnsignedByte(at++);
                bodyLength = come < LENGTH_OFFSET ? 0 : bodyLength << 8 | value;
                come++;
            } else {
                int taken = Math.min(HEADER + bodyLength - come, end - at);
                at += taken;
                come += taken;
            }
            if (come >= HEADER && come == HEADER + bodyLength) {
                come = 0;
                begins = true;
                withoutData++;
            }
        }
        if (begins && come > 0) {
            incompleteSinceNs = System.nanoTime();
        }
    }

    /** Before the handshake is done it may be no record at all, of which TLS tells. */
    private boolean isTooLong() {
        return open && bodyLength > MAX_BODY;
    }

    /** Counts the buffer in which TLS keeps the record; false if there is no room for it. */
    private boolean count() {
        int kept = come == 0 ? 0 : Math.max(LEAST_BUFFER, Integer.highestOneBit(come - 1) << 1);
        int more = kept - counted;
        if (more > 0 && noRoom == NoRoom.CLOSE && !memory.hasRoom(Use.PARTIAL_FRAMES, more)) {
            return false;
        }
        if (more != 0) {
            memory.add(Use.PARTIAL_FRAMES, more);
            counted = kept;
        }
        return true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        memory.release(Use.PARTIAL_FRAMES, counted);
        counted = 0;
    }
}
