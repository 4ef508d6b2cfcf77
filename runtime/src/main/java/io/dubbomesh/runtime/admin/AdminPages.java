package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.FatalErrors;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * The pages of the admin port by their paths. The event loop and {@link Probes} answer probes, threads that may block
 * answer the rest.
 */
final class AdminPages implements AdminConnection.Requests {
    private static final Logger log = LoggerFactory.getLogger(AdminServer.class);

    private static final String HEALTH = "/healthz";
    private static final String READINESS = "/readyz";
    private static final String NOT_FOUND =
            "not found: this is the admin port; calls go to server.port of a consumer agent or a gateway";
    /** The paths of probes, which may name the machine as they like; they tell no more than that there is an agent. */
    private static final Set<String> OPEN_PATHS = Set.of(HEALTH, READINESS);

    private final boolean isLoopback;
    private final AdminApi api;
    private final Probes probes;
    private final Executor threads;
    private final Map<String, Page> pages = new ConcurrentHashMap<>();

    /**
     * @param isLoopback whether only this machine reaches the port
     * @param threads    refuse by an exception what is too much
     */
    AdminPages(boolean isLoopback, AdminApi api, Probes probes, Executor threads) {
        this.isLoopback = isLoopback;
        this.api = api;
        this.probes = probes;
        this.threads = threads;
    }

    void add(String path, Page page) {
        pages.put(path, page);
    }

    @Override
    public void serve(PageRequest request, AdminConnection connection) {
        String path = request.uri().getPath();
        if (OPEN_PATHS.contains(path)) {
            if (!request.method().equals("GET")) {
                connection.answer(methodNotAllowed());
            } else if (path.equals(HEALTH)) {
                connection.answer(Probes.health());
            } else {
                probes.askReadiness(connection);
            }
            return;
        }
        try {
            threads.execute(() -> connection.answer(answer(request)));
        } catch (RuntimeException | OutOfMemoryError e) {
            // The server is closed, too many requests wait, or the system has no thread left.
            connection.answer(refusal(request, AdminException.unavailable("the admin port has no thread free")));
        }
    }

    private PageAnswer answer(PageRequest request) {
        try {
            String host = request.header("Host");
            if (isForeign(host)) {
                return refusal(
                        request,
                        AdminException.forbidden("Host: " + PrintableText.brief(host)
                                + " (expected: an IP address or localhost, since admin.host is a loopback address)"));
            }
            if (isApi(request)) {
                return api.answer(request);
            }
            Page page = pages.get(request.uri().getPath());
            if (page == null) {
                return PageAnswer.line(404, NOT_FOUND);
            }
            return request.method().equals("GET") ? page.answer(request) : methodNotAllowed();
        } catch (IOException | RuntimeException | Error e) {
            log.error("page {} failed", request.uri(), e);
            FatalErrors.check(e);
            return PageAnswer.line(500, "internal error");
        }
    }

    private static PageAnswer methodNotAllowed() {
        return PageAnswer.line(405, "method not allowed").with("Allow", "GET");
    }

    private static PageAnswer refusal(PageRequest request, AdminException e) {
        return isApi(request) ? AdminApi.refusal(request, e) : PageAnswer.line(e.status(), e.getMessage());
    }

    private static boolean isApi(PageRequest request) {
        return AdminApi.isPath(request.uri().getRawPath());
    }

    /**
     * Returns whether a request came by a name of others. Of a server on loopback it is a page's whose name was made to
     * point here: to the browser this server is the page's own, which the page may read.
     */
    private boolean isForeign(String host) {
        return isLoopback && host != null && !HostField.isAddress(host);
    }
}
