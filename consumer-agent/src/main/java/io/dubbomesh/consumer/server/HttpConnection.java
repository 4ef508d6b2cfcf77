package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.CrossOrigin;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.Response;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.transport.loop.ReadRate;
import io.dubbomesh.transport.loop.TcpState;
import io.dubbomesh.transport.loop.WriteProgress;
import io.dubbomesh.transport.memory.StrangerMemory;
import io.dubbomesh.transport.socket.TcpAbort;
import io.dubbomesh.transport.tls.TlsConnection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A client's connection. Requests are taken from it as long as the client reads its answers, and are answered in their
 * order. Owned by the channel's event loop.
 * <pre>
 *   OPEN ----> ENDING ----> FLUSHING ----> LINGERING ----> CLOSED
 *
 *   OPEN      takes requests                    to ENDING with the last of them ("Connection: close", a malformed one,
 *                                               one that takes too long, one of a stranger that is not admitted),
 *                                               with the client's end of input, or with a shutdown
 *   ENDING    some answers are missing          to FLUSHING with the last one
 *   FLUSHING  some bytes are not written yet    to LINGERING when they are
 *   LINGERING discards what still arrives, so   to CLOSED with the client's end of input or after LINGER_NS
 *             that a reset does not destroy       or if too many linger
 *             the answer (RFC 9112, 9.6)
 * </pre>
 * From each state to CLOSED when the channel closes. The time limits count the progress of the client:
 * <pre>
 *   unwritten bytes, in any state   http.write-timeout since it took the last byte   closes
 *   the same                        http.write-timeout with less than
 *                                   http.min-read-rate                               resets
 *   OPEN, between requests          http.idle-timeout                                closes
 *   OPEN, in the head of a request  http.head-timeout                                answers 408
 *   OPEN, in a body                 http.body-timeout, and a second more for each
 *                                   http.min-body-rate bytes that have arrived       answers 408
 *   LINGERING                       LINGER_NS                                        closes
 *   OPEN, a large request waits     memory.wait; the limits above do not count then, answers 503
 *   for room in the memory budget   since the agent does not read
 * </pre>
 */
final class HttpConnection extends ChannelInboundHandlerAdapter implements StrangerMemory.Stranger {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final long NS_PER_S = 1_000_000_000;
    private static final long LINGER_NS = 2 * NS_PER_S;

    private enum State {
        OPEN,
        ENDING,
        FLUSHING,
        LINGERING,
        CLOSED
    }

    private final HttpLoop loop;
    /** Null for plain HTTP. */
    private final TlsConnection tls;
    /** By the certificate that the client has shown. */
    private String clientName = "";

    private final HttpSettings.Timeouts timeouts;
    private final RequestInput input;
    private final Runnable proceed = this::proceed;
    private final WriteProgress writes = new WriteProgress();
    /** Null until something has waited for the client: most connections never need it. */
    private ReadRate reads;

    private ResponseQueue responses;
    private Channel channel;
    /** Kept, since a channel that is closed may not tell it any more. */
    private SocketAddress address;

    private ClientShare share;
    private State state = State.OPEN;
    /** Whether it counts as one of the connections that there may be. */
    private boolean counted;
    /** Whether it counts as one of those that may linger. */
    private boolean lingers;
    /** Until the head of a request was admitted. */
    private boolean isStranger = true;
    /** Whether a large request is not read before there is room for all of it; only while OPEN. */
    private boolean awaitsRoom;

    private long awaitsRoomSinceNs;
    /** Whether the client is still to be asked for the body; only while OPEN. */
    private boolean continueIsDue;
    /** The client sends nothing more. */
    private boolean inputEnded;
    /** Whether the body is what is missing of the current request. */
    private boolean inBody;
    /** When the last bytes were read. */
    private long readNs;
    /** Since when the agent waits for the client: for a request, for the rest of one, or for its end of input. */
    private long waitingSinceNs;

    /** @param tls null for plain HTTP */
    HttpConnection(HttpLoop loop, TlsConnection tls) {
        this.loop = loop;
        this.tls = tls;
        timeouts = loop.settings().timeouts();
        input = new RequestInput(loop, this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        if (tls != null) {
            clientName = tls.peerName();
        }
        address = channel.remoteAddress();
        share = loop.shares().join(address);
        input.holdFor(share);
        responses = new ResponseQueue(loop, channel, share);
        readNs = System.nanoTime();
        waitingSinceNs = readNs;
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        loop.add(this);
        counted = loop.tryCount();
        if (!counted) {
            refuse(newExchange(), Outcome.OVERLOADED, "too many connections");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (state != State.OPEN) {
            in.release();
            return;
        }
        readNs = System.nanoTime();
        if (input.isIdle()) {
            waitingSinceNs = readNs;
        }
        input.append(in);
        parse(readNs);
    }

    private void parse(long nowNs) {
        boolean isMore = true;
        while (isMore && state == State.OPEN && input.hasRest() && mayTakeMore()) {
            isMore = parseOne(nowNs);
        }
        if (state == State.OPEN && !inBody && input.isInBody()) {
            inBody = true;
            waitingSinceNs = nowNs;
            admitted();
        }
        boolean allIsParsed = state == State.OPEN && mayTakeMore();
        if (inputEnded && allIsParsed) {
            leaveOpen();
        }
        if (state == State.OPEN) {
            settle(nowNs);
        } else {
            input.drop();
        }
        setReading(state != State.OPEN || mayTakeMore());
        endIfAnswered();
    }

    /** Keeps what has come of the next request, if there is room for it. */
    private void settle(long nowNs) {
        switch (input.settle(channel.alloc())) {
            case ENOUGH -> {
                if (awaitsRoom || continueIsDue) {
                    goOn(nowNs);
                }
            }
            case AWAITED -> {
                if (!awaitsRoom) {
                    awaitsRoom = true;
                    awaitsRoomSinceNs = nowNs;
                    loop.awaitRoom(this);
                }
            }
            case NONE -> refuseForRoom();
        }
    }

    /** A request of the client was admitted, or none has to be. */
    private void admitted() {
        if (isStranger) {
            isStranger = false;
            input.admitted();
            if (tls != null) {
                tls.admitted();
            }
            loop.admitted(this);
        }
    }

    /** There is no room for what has come of a stranger's request. */
    @Override
    public void drop() {
        if (state == State.OPEN) {
            refuseForRoom();
        }
    }

    /** Gives its place among the connections that there may be to another one. */
    void giveWay() {
        uncount();
        channel.close();
    }

    private void refuseForRoom() {
        refuse(newExchange(), Outcome.OVERLOADED, "no room for the request (memory.budget)");
        input.drop();
    }

    /** Goes on with a request that waited for room; false if there is none yet. */
    boolean tryGoOn(long nowNs) {
        if (!awaitsRoom) {
            return true;
        }
        if (!input.tryReserve()) {
            return false;
        }
        goOn(nowNs);
        return true;
    }

    /** There is room for the request that waited for it. */
    private void goOn(long nowNs) {
        awaitsRoom = false;
        waitingSinceNs = nowNs;
        if (continueIsDue) {
            continueIsDue = false;
            responses.respondContinue();
        }
        parse(nowNs);
    }

    /** Whether the request that waits for room would make the client hold more than its share. */
    boolean isOverShare() {
        return awaitsRoom && input.isOverShare();
    }

    private void setReading(boolean wanted) {
        if (wanted != channel.config().isAutoRead()) {
            channel.config().setAutoRead(wanted);
        }
    }

    private boolean mayTakeMore() {
        return !awaitsRoom
                && !(loop.takesNoMore() && !responses.isEmpty())
                && responses.size() < loop.settings().maxPipelined()
                && channel.isWritable()
                && responses.mayGrow();
    }

    /** Returns whether there may be another request in what has arrived. */
    private boolean parseOne(long nowNs) {
        switch (input.parse()) {
            case NEED_DATA -> {
                return false;
            }
            case HEAD -> admitBody();
            case CONTINUE -> expected();
            case FAILED -> refuse(newExchange(), failure(input.parser()));
            case REQUEST -> request(input.parser(), nowNs);
        }
        return true;
    }

    private Response failure(HttpRequestParser parser) {
        return parser.isHttp2()
                ? loop.response().endOfHttp2(parser.detail())
                : loop.response().problem(parser.failure(), parser.detail());
    }

    /** Of a request that has not come completely no more is read, nor is it asked for. */
    private void leaveOpen() {
        state = State.ENDING;
        awaitsRoom = false;
        continueIsDue = false;
    }

    /** Responds to what is not a complete request; nothing behind it is parsed. */
    private void refuse(HttpExchange exchange, Outcome outcome, String detail) {
        refuse(exchange, loop.response().problem(outcome, detail));
    }

    private void refuse(HttpExchange exchange, Response response) {
        exchange.framing.closeAfter();
        leaveOpen();
        exchange.respond(response);
    }

    /** An exchange for what is not a request. */
    private HttpExchange newExchange() {
        HttpExchange exchange = responses.add();
        exchange.beginWithout(this, input.parser(), readNs);
        return exchange;
    }

    private HttpExchange newExchange(HttpRequestParser request) {
        HttpExchange exchange = responses.add();
        exchange.begin(this, request, readNs);
        return exchange;
    }

    private void request(HttpRequestParser request, long nowNs) {
        boolean bodyCameLater = inBody;
        inBody = false;
        continueIsDue = false;
        waitingSinceNs = nowNs;
        loop.requested(nowNs);
        HttpExchange exchange = newExchange(request);
        if (exchange.framing.isLast()) {
            leaveOpen();
        }
        if (request.crossOrigin() != null && request.crossOrigin().isPreflight(request)) {
            answerPreflight(request.crossOrigin(), exchange);
            return;
        }
        try {
            if (bodyCameLater) {
                loop.handler().admitAgain(request);
            } else if (!request.hasBody()) {
                loop.handler().admit(request);
            }
            admitted();
            loop.handler().handle(request, exchange, readNs, nowNs);
        } catch (CallException e) {
            allowMethods(exchange, request, e);
            if (isStranger) {
                // Answers that are not read take memory.
                exchange.framing.closeAfter();
                leaveOpen();
            }
            exchange.respond(loop.response().problem(e.outcome(), e.getMessage()));
        } catch (RuntimeException e) {
            exchange.respond(responseToFault(e));
        }
    }

    private Response responseToFault(RuntimeException fault) {
        LOG.error("a request could not be handled", fault);
        return loop.response().fault();
    }

    private void answerPreflight(CrossOrigin asked, HttpExchange exchange) {
        if (asked.preflightFields() == null) {
            exchange.respond(loop.response().problem(Outcome.FORBIDDEN, CrossOrigin.EXPECTED));
        } else {
            exchange.framing.crossOrigin(asked.preflightFields());
            exchange.respond(loop.response().noContent());
        }
    }

    /**
     * Of a client that is refused nothing behind the head is looked at, whether it has come or not: it ends the
     * connection.
     */
    private void admitBody() {
        try {
            loop.handler().admit(input.parser());
        } catch (CallException e) {
            refuse(newExchange(input.parser()), e.outcome(), e.getMessage());
        } catch (RuntimeException e) {
            refuseByFault(e);
        }
    }

    /** The rest of the request is not read. */
    private void refuseByFault(RuntimeException fault) {
        refuse(newExchange(input.parser()), responseToFault(fault));
    }

    /**
     * The client asked for permission to send the body: a request that is refused anyway is refused now, and the
     * connection with it, whether some of the body has come or not.
     */
    private void expected() {
        try {
            loop.handler().checkHead(input.parser());
        } catch (CallException e) {
            HttpExchange exchange = newExchange(input.parser());
            allowMethods(exchange, input.parser(), e);
            refuse(exchange, e.outcome(), e.getMessage());
            return;
        } catch (RuntimeException e) {
            refuseByFault(e);
            return;
        }
        admitted();
        if (input.hasMore()) {
            // The client has not waited.
            return;
        }
        if (input.tryReserve()) {
            responses.respondContinue();
        } else {
            continueIsDue = true;
        }
    }

    private void allowMethods(HttpExchange exchange, HttpRequestParser request, CallException refusal) {
        if (refusal.outcome() == Outcome.METHOD_NOT_ALLOWED) {
            exchange.framing.allow(loop.handler().allowedMethods(request));
        }
    }

    /**
     * Responds to one of this connection's requests, in its turn; the exchange is free for reuse afterwards. Never
     * throws: whoever responds has other clients to serve.
     */
    void respond(HttpExchange exchange, Response response) {
        try {
            tryRespond(exchange, response);
        } catch (Throwable e) {
            LOG.error("connection {}", channel, e);
            channel.close();
        }
    }

    private void tryRespond(HttpExchange exchange, Response response) {
        boolean lastOne = responses.isLast(exchange) && (loop.takesNoMore() || !input.hasMore());
        if (loop.isDraining() && lastOne && state == State.OPEN) {
            exchange.framing.closeAfter();
            leaveOpen();
            input.drop();
        }
        responses.respond(exchange, response);
        if (state != State.OPEN) {
            endIfAnswered();
        } else if (input.hasRest() || inputEnded || !channel.config().isAutoRead()) {
            loop.turn().ready(proceed);
        }
    }

    /** Parses what an answer, or output that the client has taken, has made room for. */
    private void proceed() {
        try {
            if (state == State.OPEN) {
                parse(System.nanoTime());
            }
        } catch (Throwable e) {
            LOG.error("connection {}", channel, e);
            channel.close();
        }
    }

    /** Writes what is left and ends the connection if no answer is missing. */
    private void endIfAnswered() {
        if (state != State.ENDING || !responses.isEmpty()) {
            return;
        }
        state = State.FLUSHING;
        responses.flush();
        setReading(true);
        channel.writeAndFlush(channel.alloc().buffer(0)).addListener(written -> {
            // A connection that has ended meanwhile would never give its place among those that linger back.
            if (state == State.FLUSHING && written.isSuccess() && !inputEnded && loop.tryLinger()) {
                linger();
            } else {
                channel.close();
            }
        });
    }

    private void linger() {
        state = State.LINGERING;
        lingers = true;
        uncount();
        waitingSinceNs = System.nanoTime();
        if (tls == null) {
            ((DuplexChannel) channel).shutdownOutput();
        } else {
            tls.shutdownOutput();
        }
    }

    /** Whether it is one of the connections that there may be. */
    boolean isCounted() {
        return counted;
    }

    private void uncount() {
        if (counted) {
            counted = false;
            loop.uncount();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            // TLS tells of its own end, and of that of the connection.
            boolean wasWatched = mayBeReset();
            inputEnded = true;
            switch (state) {
                case OPEN -> parse(System.nanoTime());
                case LINGERING -> channel.close();
                // Some answers are still missing; the connection closes when they are written.
                case ENDING, FLUSHING, CLOSED -> {}
            }
            if (mayBeReset() && !wasWatched) {
                loop.watchForReset(this);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        responses.countUnread();
        if (channel.isWritable() && state == State.OPEN) {
            loop.turn().ready(proceed);
        }
    }

    private boolean readsTooSlowly(long nowNs) {
        if (reads == null) {
            reads = new ReadRate(timeouts.minReadRate(), timeouts.writeNs());
        }
        return reads.isTooLow(channel, nowNs);
    }

    /**
     * Ends a wait for the client that has lasted too long; called every half second. What counts is progress: each byte
     * that the client reads starts the time for answers anew, and what it sends of a body lengthens the time for the
     * body.
     */
    void checkTimeout(long nowNs) {
        responses.countUnread();
        if (awaitsRoom && nowNs - awaitsRoomSinceNs > timeouts.roomNs()) {
            refuseForRoom();
        } else if (state == State.OPEN && !channel.config().isAutoRead() && mayTakeMore()) {
            // There is room again for the answers to what has arrived. The client could send nothing meanwhile.
            waitingSinceNs = nowNs;
            parse(nowNs);
        }
        if (writes.isPending(channel, nowNs)) {
            waitingSinceNs = nowNs;
            if (writes.stalledNs(nowNs) > timeouts.writeNs()) {
                channel.close();
            } else if (readsTooSlowly(nowNs)) {
                loop.cutSlowReader();
                // Otherwise the system would serve it what it has, for hours.
                TcpAbort.abort(channel);
            }
            return;
        }
        if (reads != null) {
            reads.stop();
        }
        if (!responses.isEmpty() || awaitsRoom) {
            // It is the client who waits.
            waitingSinceNs = nowNs;
        } else if (hasUnreadAnswers(nowNs) || isHeadStuckInTls(nowNs)) {
            channel.close();
        } else if (nowNs - waitingSinceNs > longestWaitNs()) {
            if (state == State.OPEN && !input.isIdle()) {
                refuse(newExchange(), Outcome.REQUEST_TIMEOUT, "no complete request in time");
                input.drop();
            } else {
                channel.close();
            }
        }
    }

    /** Closes if the client, which sends nothing more, has left; false if it no longer waits for an answer. */
    boolean closeIfReset() {
        if (!mayBeReset()) {
            return false;
        }
        if (TcpState.isReset(channel)) {
            channel.close();
            return false;
        }
        return true;
    }

    /** Whether nothing tells of a reset, as long as no answer is written. */
    private boolean mayBeReset() {
        return inputEnded && (state == State.OPEN || state == State.ENDING);
    }

    /**
     * The client sends something, of which nothing can be read. The record may hold a part of a body, too, which takes
     * its time.
     */
    private boolean isHeadStuckInTls(long nowNs) {
        return tls != null
                && state == State.OPEN
                && input.isIdle()
                && nowNs - waitingSinceNs > timeouts.headNs()
                && tls.hasIncompleteRecordFor(
                        nowNs, timeouts.headNs() + tls.incompleteRecordBytes() * NS_PER_S / timeouts.minBodyRate());
    }

    /**
     * Whether answers, all of which the system has taken, have not been read for the whole timeout. It is asked once,
     * when that is over.
     */
    private boolean hasUnreadAnswers(long nowNs) {
        long beyondNs = nowNs - waitingSinceNs - timeouts.writeNs();
        return state == State.OPEN
                && beyondNs > 0
                && beyondNs < NS_PER_S
                && TcpState.isUnreadFor(channel, TimeUnit.NANOSECONDS.toMillis(timeouts.writeNs()));
    }

    private long longestWaitNs() {
        return switch (state) {
            case OPEN -> longestRequestNs();
            case LINGERING -> LINGER_NS;
            case ENDING, FLUSHING -> timeouts.writeNs();
            case CLOSED -> Long.MAX_VALUE;
        };
    }

    private long longestRequestNs() {
        if (input.isIdle()) {
            return timeouts.idleNs();
        }
        return input.isInBody()
                ? timeouts.bodyNs() + bodyBytes() * NS_PER_S / timeouts.minBodyRate()
                : timeouts.headNs();
    }

    /** Also those of a record of TLS, which a slow client needs many seconds for. */
    private int bodyBytes() {
        return input.bodyBytes() + (tls == null ? 0 : tls.incompleteRecordBytes());
    }

    /**
     * Whether the client waits for nothing: no answer, no byte of one, and no answer to a request that it is sending.
     */
    boolean isQuiet() {
        return switch (state) {
            case OPEN -> responses.isEmpty() && input.isIdle() && !WriteProgress.hasUnwritten(channel);
            case ENDING, FLUSHING -> false;
            case LINGERING, CLOSED -> true;
        };
    }

    /** As {@link TlsConnection#peerName}; empty without TLS. */
    String clientName() {
        return clientName;
    }

    /** What is held for the client. */
    ClientShare share() {
        return share;
    }

    /** The client's address, as it was when the connection began. */
    SocketAddress address() {
        return address;
    }

    /** The client's address. */
    SocketAddress client() {
        return channel.remoteAddress();
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        state = State.CLOSED;
        awaitsRoom = false;
        uncount();
        if (lingers) {
            loop.lingered();
        }
        loop.remove(this);
        input.close();
        responses.cancel();
        loop.shares().leave(address);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException)) {
            LOG.error("connection {}", channel, cause);
        }
        ctx.close();
    }

    @Override
    public String toString() {
        return String.valueOf(channel);
    }
}
