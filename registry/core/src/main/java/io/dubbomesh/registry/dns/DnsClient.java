package io.dubbomesh.registry.dns;

import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.SocketFailure;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.dns.DefaultDnsQuestion;
import io.netty.handler.codec.dns.DnsQuestion;
import io.netty.handler.codec.dns.DnsRecordType;
import io.netty.handler.codec.dns.DnsResponse;
import io.netty.handler.codec.dns.DnsResponseCode;
import io.netty.resolver.dns.DnsNameResolver;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.resolver.dns.DnsNameResolverTimeoutException;
import io.netty.resolver.dns.NoopAuthoritativeDnsServerCache;
import io.netty.resolver.dns.NoopDnsCache;
import io.netty.resolver.dns.NoopDnsCnameCache;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Asks name servers, on one event loop of its own, on which every answer is completed too. An answer that does not fit
 * a datagram is asked for by TCP. Unlike the look-up of an address by Netty, this tells a name that does not exist from
 * a server that fails.
 */
final class DnsClient implements AutoCloseable {
    private static final int MAX_ALIASES = 8;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("registry-dns", true), NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Supplier<SearchList> searchList;
    private final int attempts;
    private final DnsNameResolver resolver;
    /** Null: those of the system. */
    private final HostPort server;

    /** @param server null: those of the system, with its search list */
    DnsClient(HostPort server, DnsTimes times) {
        searchList = server == null ? SearchList::ofSystem : () -> SearchList.NONE;
        this.server = server;
        attempts = times.attempts();
        resolver = new DnsNameResolverBuilder(loop)
                .datagramChannelType(NioDatagramChannel.class)
                .socketChannelType(NioSocketChannel.class)
                .queryTimeoutMillis(times.timeoutMs())
                .resolveCache(NoopDnsCache.INSTANCE)
                .cnameCache(NoopDnsCnameCache.INSTANCE)
                .authoritativeDnsServerCache(NoopAuthoritativeDnsServerCache.INSTANCE)
                .build();
    }

    EventLoop loop() {
        return loop;
    }

    /**
     * Asks for the records of the type, at the name and at what the search list makes of it. Fails with an
     * {@link IOException} if that cannot be known; an answer without records means that there are none.
     */
    CompletableFuture<DnsAnswer> ask(String name, DnsRecordType type) {
        return askFirst(searchList.get().candidates(name), 0, type);
    }

    private CompletableFuture<DnsAnswer> askFirst(List<String> names, int index, DnsRecordType type) {
        return queryAliases(names.get(index), type, 0)
                .thenCompose(answer -> answer.isEmpty() && index + 1 < names.size()
                        ? askFirst(names, index + 1, type)
                        : CompletableFuture.completedFuture(answer));
    }

    /** Recursive servers answer with the records of an alias' target, others only with the alias. */
    private CompletableFuture<DnsAnswer> queryAliases(String name, DnsRecordType type, int aliases) {
        return ask(name, type, 1)
                .thenCompose(
                        answer -> answer.isEmpty() && !answer.owner().equalsIgnoreCase(name) && aliases < MAX_ALIASES
                                ? queryAliases(answer.owner(), type, aliases + 1)
                                : CompletableFuture.completedFuture(answer));
    }

    /** Asks a server; each attempt goes to the next one. */
    private CompletableFuture<DnsAnswer> ask(String name, DnsRecordType type, int attempt) {
        CompletableFuture<DnsAnswer> answer = new CompletableFuture<>();
        DnsQuestion question = new DefaultDnsQuestion(name, type);
        if (server == null) {
            complete(answer, resolver.query(question), name, type);
        } else {
            serverAddress()
                    .whenCompleteAsync(
                            (address, failure) -> {
                                if (failure == null) {
                                    complete(answer, resolver.query(address, question), name, type);
                                } else {
                                    answer.completeExceptionally(failure(name, type, failure));
                                }
                            },
                            loop);
        }
        return attempt < attempts ? answer.exceptionallyCompose(failure -> ask(name, type, attempt + 1)) : answer;
    }

    /**
     * Looks up the server's address: its name is looked up by the system, maybe for long, and may become known later.
     */
    private CompletableFuture<InetSocketAddress> serverAddress() {
        if (NetUtil.createByteArrayFromIpAddressString(server.host()) != null) {
            return CompletableFuture.completedFuture(new InetSocketAddress(server.host(), server.port()));
        }
        CompletableFuture<InetSocketAddress> found = new CompletableFuture<>();
        Thread lookup = new Thread(
                () -> {
                    try {
                        found.complete(new InetSocketAddress(InetAddress.getByName(server.host()), server.port()));
                    } catch (UnknownHostException | RuntimeException e) {
                        found.completeExceptionally(e);
                    }
                },
                "registry-dns-server");
        lookup.setDaemon(true);
        try {
            lookup.start();
        } catch (OutOfMemoryError e) {
            // The system has no thread left: this question has failed, not the agent.
            found.completeExceptionally(new UnknownHostException(e.getMessage()));
        }
        return found;
    }

    private static void complete(
            CompletableFuture<DnsAnswer> answer,
            Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> response,
            String name,
            DnsRecordType type) {
        response.addListener(done -> completed(answer, response, name, type));
    }

    private static void completed(
            CompletableFuture<DnsAnswer> answer,
            Future<AddressedEnvelope<DnsResponse, InetSocketAddress>> response,
            String name,
            DnsRecordType type) {
        if (!response.isSuccess()) {
            answer.completeExceptionally(failure(name, type, response.cause()));
            return;
        }
        AddressedEnvelope<DnsResponse, InetSocketAddress> envelope = response.getNow();
        try {
            answer.complete(read(envelope.content(), name, type));
        } catch (IOException | RuntimeException e) {
            answer.completeExceptionally(new IOException(
                    question(name, type) + HostPort.of(envelope.sender()) + " answered " + e.getMessage(), e));
        } finally {
            envelope.release();
        }
    }

    private static DnsAnswer read(DnsResponse response, String name, DnsRecordType type) throws IOException {
        DnsResponseCode code = response.code();
        if (code.equals(DnsResponseCode.NXDOMAIN)) {
            return DnsAnswer.none(name);
        }
        if (!code.equals(DnsResponseCode.NOERROR)) {
            throw new IOException(code.toString());
        }
        if (response.isTruncated()) {
            throw new IOException("more than fits a datagram, and not by TCP");
        }
        return DnsAnswer.read(response, name, type);
    }

    private static IOException failure(String name, DnsRecordType type, Throwable cause) {
        if (cause instanceof DnsNameResolverTimeoutException timeout) {
            return new IOException(
                    question(name, type) + HostPort.of(timeout.remoteAddress()) + " did not answer in time", cause);
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return new IOException(question(name, type) + SocketFailure.reason(root), cause);
    }

    private static String question(String name, DnsRecordType type) {
        return PrintableText.brief(name) + ' ' + type.name() + ": ";
    }

    /** Does not wait. */
    @Override
    public void close() {
        resolver.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
