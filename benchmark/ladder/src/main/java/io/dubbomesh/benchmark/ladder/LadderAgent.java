package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.transport.loop.EventLoops;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** What both agents are: something that listens, and for each of its event loops something that calls are handed to. */
final class LadderAgent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LadderAgent.class);

    private final EventLoops inbound;
    private final EventLoops outbound;
    private final ExecutorService workers;
    private Channel listener;

    interface Backend {
        /** Opens the connections that the calls of one inbound event loop go over. */
        Callee open(Connector connector, int loopIndex, Waiting waiting) throws IOException;
    }

    interface Waiting {
        /** How an answer of {@code callee} is waited for. */
        Callee of(Callee callee);
    }

    interface Front {
        /** Adds what takes calls from an accepted connection. */
        void addHandlers(Channel channel, Callee callee);
    }

    interface Program {
        LadderAgent start(Settings settings) throws IOException;
    }

    private LadderAgent(Switches switches) {
        inbound = new EventLoops("inbound", switches.threads(), switches.transport());
        outbound = switches.loops() == Switches.Loops.SHARED
                ? inbound
                : new EventLoops("outbound", switches.threads(), switches.transport());
        workers = Executors.newFixedThreadPool(switches.workers(), new DefaultThreadFactory("worker", true));
    }

    /** What a main does: a start that fails for a reason outside of the program is one line. */
    static void run(Program program) {
        try {
            LadderAgent agent = program.start(Settings.of(System.getProperties()));
            Runtime.getRuntime().addShutdownHook(new Thread(agent::close));
            System.out.println("listening on " + agent.port());
        } catch (IllegalArgumentException | IOException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static LadderAgent start(int port, Switches switches, Front front, Backend backend) throws IOException {
        LadderAgent agent = new LadderAgent(switches);
        try {
            agent.listen(port, switches, front, agent.open(switches, backend));
            return agent;
        } catch (IOException e) {
            agent.close();
            throw e;
        }
    }

    private List<Callee> open(Switches switches, Backend backend) throws IOException {
        Waiting waiting = switches.waiting() == Switches.Wait.CALLBACK
                ? callee -> callee
                : callee -> new BlockingCallee(callee, workers);
        List<Callee> callees = new ArrayList<>();
        for (EventLoop loop : outbound.loops()) {
            Connector connector = new Connector(outbound, loop, switches);
            callees.add(backend.open(connector, callees.size(), waiting));
        }
        return callees;
    }

    private void listen(int port, Switches switches, Front front, List<Callee> callees) throws IOException {
        listener = inbound.listen(
                new InetSocketAddress("127.0.0.1", port),
                Connector.sockets(switches),
                Connector.initializer(switches, channel -> {
                    front.addHandlers(channel, callees.get(inbound.indexOf(channel.eventLoop())));
                    channel.pipeline().addLast(new CloseOnError());
                    inbound.forgetWhenClosed(channel);
                }));
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    @Override
    public void close() {
        inbound.close();
        outbound.close();
        workers.shutdownNow();
    }

    private static final class CloseOnError extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            if (!(cause instanceof IOException)) {
                LOG.warn("connection {}", ctx.channel(), cause);
            }
            ctx.close();
        }
    }
}
