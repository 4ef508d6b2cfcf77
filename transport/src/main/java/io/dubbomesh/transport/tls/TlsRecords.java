package io.dubbomesh.transport.tls;

import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.memory.MemoryBudget.Use;
import io.dubbomesh.transport.memory.StrangerMemory;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;

import java.util.function.Consumer;

/**
 * Stands in front of TLS and looks at the headers of records (RFC 8446, 5.1). TLS keeps a record until all of it has
 * come: what it keeps counts in the memory budget, for strangers in their part of it. Records that bring no data, such
 * as empty ones and updates of keys, cost work and only TLS sees them: a connection with too many of them in a row
 * ends. Owned by the connection's event loop.
 */
final class TlsRecords extends ChannelInboundHandlerAdapter implements StrangerMemory.Stranger {
    static final int MAX_WITHOUT_DATA = 32;
    /**
     * Records of a handshake. TLS copies what has come of a message for each record that brings more of it, and a
     * ClientHello of 2,000 bytes may come a byte at a time.
     */
    static final int MAX_IN_HANDSHAKE = 2048;

    private static final int HEADER = 5;
    private static final int VERSION_OFFSET = 1;
    private static final int LENGTH_OFFSET = 3;
    /** The first of change_cipher_spec, alert, handshake and application_data, which follow each other. */
    private static final int FIRST_TYPE = 20;

    private static final int LAST_TYPE = 23;
    private static final int MAJOR_VERSION = 3;
    /** The longest body of TLS 1.2; TLS 1.3 has less. */
    private static final int MAX_BODY = (1 << 14) + 2048;
    /** The buffer that a read of a few bytes takes. */
    private static final int LEAST_BUFFER = 2048;

    /**
     * The consequence for a connection whose incomplete record finds no room, once its peer is no stranger any more.
     */
    enum NoRoom {
        /**
         * The connection ends. Its peer is a stranger until a request of it was admitted. Its peer is a stranger until
         * a request of it was admitted.
         */
        CLOSE,
        /**
         * The connection stays, and the bytes are only counted: a link is worth more than the record. Its peer is a
         * stranger until the handshake is done, which shows its certificate.
         */
        KEEP
    }

    private final MemoryBudget memory;
    private final NoRoom noRoom;
    private final Consumer<String> refused;
    /** The bytes that have arrived of the next record, and the length of its body. */
    private int come;

    private int bodyLength;
    /** Whether the header of the record has been that of one so far. */
    private boolean isRecord;

    private int counted;
    private int withoutData;
    /** The time at which its first byte arrived. */
    private long incompleteSinceNs;

    private boolean open;
    private boolean stranger = true;
    private ChannelHandlerContext context;

    /** @param refused is told why a connection ends whose handshake has malformed records */
    TlsRecords(MemoryBudget memory, NoRoom noRoom, Consumer<String> refused) {
        this.memory = memory;
        this.noRoom = noRoom;
        this.refused = refused;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    /** Called when the handshake is done. */
    void opened() {
        open = true;
        withoutData = 0;
        if (noRoom == NoRoom.KEEP) {
            admitted();
        }
    }

    /** Called when its peer is no stranger any more. */
    void admitted() {
        stranger = false;
        memory.strangers().keep(this, 0);
    }

    @Override
    public void drop() {
        if (!open) {
            refused.accept("no room for a part of its handshake (memory.budget)");
        }
        context.close();
    }

    /** Called when the handlers behind TLS got data. */
    void dataCame() {
        withoutData = 0;
    }

    /** Returns whether a record has been coming for so long, and is not there. */
    boolean isIncompleteFor(long nowNs, long ns) {
        return come > 0 && nowNs - incompleteSinceNs > ns;
    }

    /** Returns whether what has come is a part of the first record. */
    boolean isFirstIncomplete() {
        return withoutData == 0 && isRecord;
    }

    /** Counts bytes that wait for the handshake to begin, which are no part of the next record. */
    void holdBack(int bytes) {
        memory.strangers().keep(this, bytes);
    }

    /** Called when they wait no more. */
    void endHoldBack() {
        count();
    }

    /** Returns what has come of a record that is not there yet. */
    int incompleteBytes() {
        return come;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        inspect((ByteBuf) message);
        boolean areTooMany = !open && withoutData > MAX_IN_HANDSHAKE;
        if (isTooLong() || areTooMany || !count()) {
            ((ByteBuf) message).release();
            if (!open) {
                refused.accept(
                        areTooMany
                                ? "more than " + MAX_IN_HANDSHAKE + " records"
                                : "a record of " + bodyLength + " bytes (expected: at most " + MAX_BODY + ')');
            }
            ctx.close();
            return;
        }
        ctx.fireChannelRead(message);
        if (open && withoutData > MAX_WITHOUT_DATA) {
            ctx.close();
        }
    }

    private void inspect(ByteBuf in) {
        int end = in.writerIndex();
        boolean begins = come == 0;
        for (int at = in.readerIndex(); at < end && !isTooLong(); ) {
            if (come < HEADER) {
                inspectHeader(in.getUnsignedByte(at++));
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

    private void inspectHeader(int value) {
        if (come < LENGTH_OFFSET) {
            bodyLength = 0;
            isRecord = come == 0
                    ? value >= FIRST_TYPE && value <= LAST_TYPE
                    : isRecord && (come != VERSION_OFFSET || value == MAJOR_VERSION);
        } else {
            bodyLength = bodyLength << 8 | value;
        }
    }

    /**
     * Returns whether the record is too long. Bytes that are no record at all are left to TLS, which tells the peer.
     */
    private boolean isTooLong() {
        return (open || isRecord) && bodyLength > MAX_BODY;
    }

    /** Counts the buffer in which TLS keeps the record; false if there is no room for it. */
    private boolean count() {
        int kept = come == 0 ? 0 : Math.max(LEAST_BUFFER, Integer.highestOneBit(come - 1) << 1);
        if (stranger) {
            memory.strangers().keep(this, kept);
            return true;
        }
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
        memory.strangers().keep(this, 0);
        memory.release(Use.PARTIAL_FRAMES, counted);
        counted = 0;
    }
}
