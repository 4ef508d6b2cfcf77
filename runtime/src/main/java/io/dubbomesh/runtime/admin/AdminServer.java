package io.dubbomesh.runtime.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.process.StartException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * HTTP for operators, on a port of its own: GET {@code /healthz} tells that the process is running, GET {@code /readyz}
 * whether calls should be sent to it, GET {@code /} shows both agents' operators all of it; {@link #handle} adds a
 * page, {@link #api} is the interface for programs. Its threads are daemons, none of them an event loop.
 */
public final class AdminServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AdminServer.class);
    private static final int THREADS = 8;
    private static final int BACKLOG = 64;

    static {
        // The JDK's server takes these limits (seconds, connections) from system properties only, and reads them once.
        limit("sun.net.httpserver.maxReqTime", "5");
        // From the end of the request to that of the answer; a call that an operator makes may take a minute.
        limit("sun.net.httpserver.maxRspTime", "75");
        limit("sun.net.httpserver.idleInterval", "10");
        limit("sun.net.httpserver.maxIdleConnections", "16");
        limit("jdk.httpserver.maxConnections", "256");
        limit("sun.net.httpserver.nodelay", "true");
    }

    /** For probes, which may name the machine as they like; they tell no more than that there is an agent. */
    private static final Set<String> OPEN_PATHS = Set.of("/healthz", "/readyz");

    private final Map<String, HttpHandler> handlers = new ConcurrentHashMap<>();
    private final AdminApi api;
    private final HttpServer server;
    private final ThreadPoolExecutor threads;

    private static void limit(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private AdminServer(HttpServer server, AdminApi api, Supplier<Readiness> readiness) {
        this.server = server;
        this.api = api;
        threads =
                new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons());
        threads.allowCoreThreadTimeOut(true);
        server.setExecutor(threads);
        server.createContext("/", this::dispatch);
        handle(LivePage.PATH, new LivePage());
        handle("/healthz", exchange -> respond(exchange, 200, "ok"));
        handle("/readyz", exchange -> {
            Readiness now = readiness.get();
            respond(exchange, now.isReady() ? 200 : 503, PrintableText.of(now.text()));
        });
    }

    /**
     * Listens.
     *
     * @param readiness called for each request, on a thread of this server
     */
    public static AdminServer start(AdminSettings settings, Supplier<Readiness> readiness) throws StartException {
        String host = settings.host();
        int port = settings.port();
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            throw new StartException("admin.host: " + host + " (unknown host)", null);
        }
        HttpServer server;
        try {
            server = HttpServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw StartException.cannotListen("admin", host, port, e);
        }
        AdminApi api = new AdminApi(settings.changes());
        new ProcessApi(settings.effective()).addTo(api);
        AdminServer admin = new AdminServer(server, api, readiness);
        // The server's thread is a daemon only if the thread that starts it is one.
        Thread starter = new Thread(server::start, "admin-start");
        starter.setDaemon(true);
        starter.start();
        join(starter);
        return admin;
    }

    /** Otherwise a server that is closed early would be started afterwards, and fail. */
    private static void join(Thread starter) {
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ThreadFactory daemons() {
        AtomicInteger count = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "admin-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Adds a page: GET of exactly this path. The handler runs on several threads, may block, and sends the whole
     * answer.
     */
    public void handle(String path, HttpHandler handler) {
        handlers.put(path, handler);
    }

    /** JSON below {@code /api/v1/}, to which each agent adds its own. */
    public AdminApi api() {
        return api;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Stops listening and closes the connections. */
    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void dispatch(HttpExchange exchange) throws IOException {
        try {
            HttpHandler handler = handlers.get(exchange.getRequestURI().getPath());
            boolean isApi = AdminApi.isPath(exchange.getRequestURI().getRawPath());
            String host = exchange.getRequestHeaders().getFirst("Host");
            if (isForeign(host) && !OPEN_PATHS.contains(exchange.getRequestURI().getPath())) {
                String refusal = "Host: " + PrintableText.brief(host) + " (expected: an IP address or localhost, since"
                        + " admin.host is a loopback address)";
                if (isApi) {
                    AdminApi.refuse(exchange, AdminException.forbidden(refusal));
                } else {
                    respond(exchange, 403, refusal);
                }
            } else if (isApi) {
                api.handle(exchange);
            } else if (handler == null) {
                respond(exchange, 404, "not found");
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.getResponseHeaders().set("Allow", "GET");
                respond(exchange, 405, "method not allowed");
            } else {
                handler.handle(exchange);
            }
        } catch (RuntimeException e) {
            log.error("page {} failed", exchange.getRequestURI(), e);
            if (exchange.getResponseCode() < 0) {
                respond(exchange, 500, "internal error");
            }
        } finally {
            exchange.close();
        }
    }

    /**
     * Whether a request came by a name of others. Of a server on loopback it is a page's whose name was made to point
     * here: to the browser this server is the page's own, which the page may read.
     */
    private boolean isForeign(String host) {
        return server.getAddress().getAddress().isLoopbackAddress() && host != null && !HostField.isAddress(host);
    }

    /** Sends a line of text. */
    public static void respond(HttpExchange exchange, int status, String line) throws IOException {
        respond(exchange, status, "text/plain;charset=UTF-8", (line + '\n').getBytes(StandardCharsets.UTF_8));
    }

    /** Sends the whole answer. */
    public static void respond(HttpExchange exchange, int status, String contentType, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", contentType);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }
}
