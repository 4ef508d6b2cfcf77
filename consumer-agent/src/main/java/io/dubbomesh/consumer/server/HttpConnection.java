package io.dubbomesh.consumer.server;

import io.dubbomesh.consumer.http.CrossOrigin;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
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

/**
 * A client's connection: takes requests from it as long as the client reads its answers, and answers them in their
 * order. {@link Admission} says what it counts as, {@link ReadGate} when it reads, {@link ClientTimeouts} how long it
 * waits for the client, and {@link ClosingSequence} how it ends. Owned by the channel's event loop.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter
        implements ClientConnection, StrangerMemory.Stranger, Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);

    private final HttpLoop loop;
    /** Null for plain HTTP. */
    private final TlsConnection tls;

    private final RequestInput input;
    /** The place among the open connections of the loop. */
    private int place = OpenConnections.NOWHERE;

    // What there is since the channel is active.
    private Channel channel;
    /** Kept, since a channel that is closed may not know it any more. */
    private SocketAddress address;
    /** The client's name in its certificate; empty without one. */
    private String clientName = "";

    private ClientShare share;
    private ResponseQueue responses;
    private Admission admission;
    private ReadGate gate;
    private ClientTimeouts timeouts;
    private ClosingSequence closing;

    /** Whether the body of the current request comes later than its head. */
    private boolean inBody;
    /** The time of the last read. */
    private long readNs;

    /** @param tls null for plain HTTP */
    HttpConnection(HttpLoop loop, TlsConnection tls) {
        this.loop = loop;
        this.tls = tls;
        input = new RequestInput(loop.parsers(), loop.memory(), this);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        if (tls != null) {
            clientName = tls.peerName();
        }
        address = channel.remoteAddress();
        share = loop.shares().acquire(address);
        input.setShare(share);
        responses = new ResponseQueue(loop.exchanges(), loop.writer(), loop.turn(), channel, share);
        readNs = System.nanoTime();
        admission = new Admission(loop.limit(), channel::close);
        gate = new ReadGate(channel, responses, loop.settings().maxPipelined());
        timeouts = new ClientTimeouts(loop.settings().timeouts(), channel, tls, readNs);
        closing = new ClosingSequence(channel, admission, this::linger);
        channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        loop.add(this);
        if (admission.state() == Admission.State.REFUSED) {
            refuse(newExchange(), Outcome.OVERLOADED, "too many connections");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (!closing.isOpen()) {
            in.release();
            return;
        }
        if (input.isIdle()) {
            readNs = loop.reads().readNs();
            timeouts.restart(readNs);
            input.append(in);
            loop.reads().add(this);
        } else {
            continueInput(in);
        }
    }

    /** Takes more of a request, or what has come behind requests that are not parsed yet. */
    private void continueInput(ByteBuf in) {
        // This connection may be one of them.
        loop.reads().run();
        if (!closing.isOpen()) {
            in.release();
            return;
        }
        readNs = System.nanoTime();
        if (input.isIdle()) {
            timeouts.restart(readNs);
        }
        input.append(in);
        parse(readNs);
    }

    /** Parses what was read last; called soon after. */
    void parseRead() {
        try {
            if (closing.isOpen()) {
                parse(readNs);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void parse(long nowNs) {
        boolean isMore = true;
        while (isMore && closing.isOpen() && input.hasRest() && mayTakeMore()) {
            isMore = parseOne(nowNs);
        }
        if (closing.isOpen() && !inBody && input.isInBody()) {
            inBody = true;
            timeouts.restart(nowNs);
            admit();
        }
        if (closing.isOpen() && closing.hasInputEnded() && mayTakeMore()) {
            closeAfterResponses();
        }
        if (closing.isOpen()) {
            settle(nowNs);
        } else {
            input.drop();
        }
        if (closing.hasInputEnded()) {
            cancelWithInput();
        }
        gate.setReading(!closing.isOpen() || mayTakeMore() || awaitsEnd());
        flushIfAnswered();
    }

    /** Returns whether the client is read only to see it leave: none of its requests is taken. */
    private boolean awaitsEnd() {
        return responses.isStreaming() && !input.hasRest();
    }

    /** Ends the requests whose client has left with the end of its output. */
    private void cancelWithInput() {
        if (responses.isStreaming() && closing.isOpen()) {
            // The client of a stream has left; another response cannot follow one that is cut off.
            closeAfterResponses();
            input.drop();
        }
        int cancelled = responses.cancelWithInput(loop.response());
        loop.abandoned(cancelled);
        if (cancelled > 0 && closing.isOpen()) {
            // There is room for requests that have arrived.
            loop.turn().ready(this);
        }
    }

    /** Keeps what has come of the next request, if there is room for it. */
    private void settle(long nowNs) {
        switch (input.settle(channel.alloc())) {
            case ENOUGH -> {
                if (gate.state() != ReadGate.Wait.FREE) {
                    continueRequest(nowNs);
                }
            }
            case AWAITED -> {
                if (gate.awaitRoom(nowNs)) {
                    loop.awaitRoom(this);
                }
            }
            case NONE -> refuseForRoom();
        }
    }

    /** Called when a request of the client was admitted, or none has to be. */
    private void admit() {
        if (input.isOfStranger() && admission.admit()) {
            input.admitted();
            if (tls != null) {
                tls.admitted();
            }
        }
    }

    /** Called when there is no room for what has come of a stranger's request. */
    @Override
    public void drop() {
        if (closing.isOpen()) {
            refuseForRoom();
        }
    }

    private void refuseForRoom() {
        refuse(newExchange(), Outcome.OVERLOADED, "no room for the request (memory.budget)");
        input.drop();
    }

    /** Goes on with a request that waited for room; returns false if there is none yet. */
    boolean tryContinue(long nowNs) {
        if (!gate.isAwaitingRoom()) {
            return true;
        }
        if (!input.tryReserve()) {
            return false;
        }
        continueRequest(nowNs);
        return true;
    }

    /** Called when there is room for the request that waited for it. */
    private void continueRequest(long nowNs) {
        timeouts.restart(nowNs);
        if (gate.free()) {
            responses.respondContinue();
        }
        parse(nowNs);
    }

    /** Returns whether the request that waits for room would make the client hold more than its share. */
    boolean isOverShare() {
        return gate.isAwaitingRoom() && input.isOverShare();
    }

    private boolean mayTakeMore() {
        return gate.isOpen() && !(loop.isClosingAfterResponses() && !responses.isEmpty());
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

    /** Reads no more of a request that has not come completely, and asks for none of it. */
    private void closeAfterResponses() {
        closing.begin();
        gate.free();
    }

    /** Responds to what is not a complete request; nothing behind it is parsed. */
    private void refuse(ServerExchange exchange, Outcome outcome, String detail) {
        refuse(exchange, loop.response().problem(outcome, detail));
    }

    private void refuse(ServerExchange exchange, Response response) {
        exchange.framing.closeAfter();
        closeAfterResponses();
        exchange.respond(response);
    }

    /** Returns an exchange for what is not a request. */
    private ServerExchange newExchange() {
        ServerExchange exchange = responses.add();
        exchange.beginWithout(this, input.parser(), readNs);
        return exchange;
    }

    private ServerExchange newExchange(HttpRequestParser request) {
        ServerExchange exchange = responses.add();
        exchange.begin(this, request, readNs);
        return exchange;
    }

    private void request(HttpRequestParser request, long nowNs) {
        boolean bodyCameLater = inBody;
        inBody = false;
        gate.free();
        timeouts.restart(nowNs);
        loop.requested(nowNs);
        ServerExchange exchange = newExchange(request);
        if (exchange.framing.isLast()) {
            closeAfterResponses();
        }
        if (request.isPreflight()) {
            answerPreflight(request.preflightFields(), exchange);
            return;
        }
        try {
            if (bodyCameLater) {
                loop.handler().admitAgain(request);
            } else if (!request.hasBody()) {
                loop.handler().admit(request);
            }
            admit();
            loop.handler().handle(request, exchange, readNs, nowNs);
        } catch (CallException e) {
            allowMethods(exchange, request, e);
            if (admission.state() == Admission.State.STRANGER) {
                // Answers that are not read take memory.
                exchange.framing.closeAfter();
                closeAfterResponses();
            }
            exchange.respond(refusal(request, e));
        } catch (RuntimeException e) {
            exchange.respond(responseToFault(e));
        }
    }

    private Response refusal(HttpRequestParser request, CallException refusal) {
        boolean isForStranger =
                refusal.outcome() == Outcome.UNAUTHENTICATED || refusal.outcome() == Outcome.INVALID_TOKEN;
        Response page = isForStranger && !request.hasBody() ? loop.handler().publicPage(request) : null;
        return page != null ? page : loop.response().problem(refusal.outcome(), refusal.getMessage());
    }

    private Response responseToFault(RuntimeException fault) {
        LOG.error("a request could not be handled", fault);
        return loop.response().fault();
    }

    private void answerPreflight(byte[] fields, ServerExchange exchange) {
        if (fields == null) {
            exchange.respond(loop.response().problem(Outcome.FORBIDDEN, CrossOrigin.EXPECTED));
        } else {
            exchange.framing.crossOrigin(fields);
            exchange.respond(loop.response().noContent());
        }
    }

    /**
     * Admits the body. Of a refused client nothing behind the head is read, whether it has come or not: the refusal
     * ends the connection.
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

    /** Refuses the request without reading the rest of it. */
    private void refuseByFault(RuntimeException fault) {
        refuse(newExchange(input.parser()), responseToFault(fault));
    }

    /**
     * Called when the client asks for permission to send the body: a request that is refused anyway is refused now, and
     * the connection with it, whether some of the body has come or not.
     */
    private void expected() {
        try {
            loop.handler().checkHead(input.parser());
        } catch (CallException e) {
            ServerExchange exchange = newExchange(input.parser());
            allowMethods(exchange, input.parser(), e);
            refuse(exchange, e.outcome(), e.getMessage());
            return;
        } catch (RuntimeException e) {
            refuseByFault(e);
            return;
        }
        admit();
        if (input.hasMore()) {
            // The client has not waited.
            return;
        }
        if (input.tryReserve()) {
            responses.respondContinue();
        } else {
            gate.continueLater();
        }
    }

    private void allowMethods(ServerExchange exchange, HttpRequestParser request, CallException refusal) {
        if (refusal.outcome() == Outcome.METHOD_NOT_ALLOWED) {
            exchange.framing.allow(loop.handler().allowedMethods(request));
        }
    }

    @Override
    public void write(ServerExchange exchange, Response response) {
        boolean isLast = responses.isLast(exchange) && (loop.isClosingAfterResponses() || !input.hasMore());
        if (loop.isDraining() && isLast && closing.isOpen()) {
            exchange.framing.closeAfter();
            closeAfterResponses();
            input.drop();
        }
        responses.respond(exchange, response);
        if (!closing.isOpen()) {
            flushIfAnswered();
        }
        if (closing.isOpen() && (input.hasRest() || closing.hasInputEnded() || !gate.isReading())
                || responses.isStreaming()) {
            loop.turn().ready(this);
        }
    }

    @Override
    public int touch(int level) {
        if (level == 0) {
            return (int) readNs;
        }
        int read = responses.touch(level - 1);
        return level > 1
                ? read
                : read
                        + (closing.isOpen() ? 1 : 0)
                        + (input.hasRest() ? 1 : 0)
                        + gate.state().ordinal();
    }

    @Override
    public void opened(ServerExchange exchange) {
        responses.opened();
        // A document is one answer, for which a client waits that has ended its output.
        if (!closing.hasInputEnded() && exchange.stream().format().hasEnd()) {
            exchange.leavesWithInput();
        }
        if (exchange.framing.isHttp10() && closing.isOpen()) {
            // Its end is that of the response.
            exchange.framing.closeAfter();
            closeAfterResponses();
            input.drop();
        }
        loop.turn().ready(this);
    }

    @Override
    public boolean write(ServerExchange exchange, ByteBuf in, int offset, int length) {
        return responses.write(exchange, in, offset, length);
    }

    @Override
    public void fail(Throwable fault) {
        LOG.error("connection {}", channel, fault);
        channel.close();
    }

    /** Parses what an answer, or output that the client has taken, has made room for; called at the end of the turn. */
    @Override
    public void run() {
        try {
            responses.resume();
            if (closing.isOpen()) {
                parse(System.nanoTime());
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    /** Writes what is left and ends the connection if no answer is missing. */
    private void flushIfAnswered() {
        if (closing.state() == ClosingSequence.State.ENDING && responses.isEmpty()) {
            responses.flush();
            gate.setReading(true);
            closing.flush();
        }
    }

    private void linger() {
        timeouts.restart(System.nanoTime());
        if (tls == null) {
            ((DuplexChannel) channel).shutdownOutput();
        } else {
            tls.shutdownOutput();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        // TLS reports its own end, and that of the connection.
        if (event instanceof ChannelInputShutdownEvent && !closing.hasInputEnded()) {
            closing.endInput();
            if (closing.isOpen()) {
                parse(System.nanoTime());
            } else {
                cancelWithInput();
                flushIfAnswered();
            }
            if (closing.mayBeReset()) {
                loop.watchForReset(this);
            }
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        responses.countUnread();
        if (channel.isWritable() && (closing.isOpen() || responses.isStreaming())) {
            loop.turn().ready(this);
        }
    }

    /** Ends a wait for the client that has lasted too long; called every half second. */
    void checkTimeout(long nowNs) {
        responses.countUnread();
        if (responses.isStreaming()) {
            checkStreams(nowNs);
        }
        if (gate.hasAwaitedRoomFor(loop.settings().timeouts().roomNs(), nowNs)) {
            refuseForRoom();
        } else if (closing.isOpen() && !gate.isReading() && mayTakeMore()) {
            // There is room again for the answers to what has arrived. The client could send nothing meanwhile.
            timeouts.restart(nowNs);
            parse(nowNs);
        }
        ClientTimeouts.Phase phase = phase();
        int bodyBytes = phase == ClientTimeouts.Phase.BODY ? input.bodyBytes() : 0;
        switch (timeouts.check(phase, bodyBytes, nowNs)) {
            case WAIT -> {}
            case CLOSE -> channel.close();
            case RESET -> {
                loop.cutSlowReader();
                TcpAbort.abort(channel);
            }
            case REFUSE -> {
                refuse(newExchange(), Outcome.REQUEST_TIMEOUT, "no complete request in time");
                input.drop();
            }
        }
    }

    private void checkStreams(long nowNs) {
        if (loop.isClosingAfterResponses()) {
            responses.interrupt(loop.response());
        } else {
            responses.resume();
            responses.keepOpen(loop.settings().timeouts().heartbeatNs(), nowNs);
        }
    }

    private ClientTimeouts.Phase phase() {
        if (!responses.isEmpty() || gate.isAwaitingRoom()) {
            return ClientTimeouts.Phase.AGENT;
        }
        return switch (closing.state()) {
            case OPEN ->
                input.isIdle()
                        ? ClientTimeouts.Phase.IDLE
                        : input.isInBody() ? ClientTimeouts.Phase.BODY : ClientTimeouts.Phase.HEAD;
            case ENDING, FLUSHING -> ClientTimeouts.Phase.FLUSHING;
            case LINGERING -> ClientTimeouts.Phase.LINGERING;
            case CLOSED -> ClientTimeouts.Phase.CLOSED;
        };
    }

    /** Closes if the client, which sends nothing more, has left; returns false if it no longer waits for an answer. */
    boolean closeIfReset() {
        if (!closing.mayBeReset()) {
            return false;
        }
        if (TcpState.isReset(channel)) {
            channel.close();
            return false;
        }
        return true;
    }

    /**
     * Returns whether the client waits for nothing: no answer, no byte of one, and no answer to a request that it is
     * sending.
     */
    boolean isQuiet() {
        return switch (phase()) {
            case IDLE -> !WriteProgress.hasUnwritten(channel);
            case LINGERING, CLOSED -> true;
            case AGENT, HEAD, BODY, FLUSHING -> false;
        };
    }

    int place() {
        return place;
    }

    void place(int in) {
        place = in;
    }

    @Override
    public String clientName() {
        return clientName;
    }

    @Override
    public ClientShare share() {
        return share;
    }

    @Override
    public SocketAddress address() {
        return address;
    }

    void close() {
        channel.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        closing.closed();
        gate.free();
        admission.connectionClosed();
        loop.remove(this);
        input.close();
        loop.abandoned(responses.cancel());
        loop.shares().release(address);
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
