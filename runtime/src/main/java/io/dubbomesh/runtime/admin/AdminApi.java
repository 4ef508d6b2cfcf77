package io.dubbomesh.runtime.admin;

import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.json.Json;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The part of the admin port for programs: JSON below {@code /api/v1/}. A failure is a problem document (RFC 9457).
 * What changes something is logged with the client's address and User-Agent; if it fails, with how, unless the request
 * itself was wrong.
 *
 * <p>A page in a browser must not steer an agent on the browser's machine. So a change needs a content type that makes
 * browsers ask first, which is refused, and if it has an Origin, that must be this server by its address: a name may
 * have been made to point here. Such a name in Host is refused by {@link AdminServer} already, where the port is one of
 * loopback.
 */
public final class AdminApi {
    static final String ROOT = "/api/v1";

    private static final Logger log = LoggerFactory.getLogger(AdminApi.class);
    /** The lowest status for a failure of the agent. */
    private static final int FAILURE_OF_THE_AGENT = 500;

    private static final String PLACE = "{}";
    private static final String JSON = "application/json";

    private final AdminSettings.Changes changes;
    /** The handlers by path, with {@link #PLACE} for a name, and by method. */
    private final Map<List<String>, Map<String, Handler>> routes = new LinkedHashMap<>();

    /** Makes the document that answers a request, or null for none. Runs on several threads at once, and may block. */
    @FunctionalInterface
    public interface Handler {
        /**
         * @throws AdminException   for a request that cannot be served
         * @throws TimeoutException if an event loop does not answer
         */
        Object handle(AdminRequest request) throws AdminException, TimeoutException;
    }

    private record Problem(int status, String title, String detail, String code) {}

    AdminApi(AdminSettings.Changes changes) {
        this.changes = changes;
    }

    /** Adds a document, such as {@code /endpoints} or {@code /endpoints/{id}}. */
    public AdminApi get(String path, Handler handler) {
        return add("GET", path, handler);
    }

    /** Adds a change; the body of the request is a JSON object. */
    public AdminApi put(String path, Handler handler) {
        return add("PUT", path, handler);
    }

    /** Adds a change whose request may have an empty body. */
    public AdminApi post(String path, Handler handler) {
        return add("POST", path, handler);
    }

    /** Adds a change whose request may have an empty body. */
    public AdminApi delete(String path, Handler handler) {
        return add("DELETE", path, handler);
    }

    /**
     * Adds draining, which POST begins, DELETE ends and GET shows.
     *
     * @param drain what begins or ends it
     * @param shown makes the document that answers each of them
     */
    public AdminApi drain(Consumer<Boolean> drain, Handler shown) {
        return get("/drain", shown)
                .post("/drain", request -> {
                    drain.accept(true);
                    return shown.handle(request);
                })
                .delete("/drain", request -> {
                    drain.accept(false);
                    return shown.handle(request);
                });
    }

    private AdminApi add(String method, String path, Handler handler) {
        List<String> parts = new ArrayList<>();
        for (String part : path.substring(1).split("/")) {
            parts.add(part.startsWith("{") ? PLACE : part);
        }
        synchronized (routes) {
            routes.computeIfAbsent(parts, key -> new TreeMap<>()).put(method, handler);
        }
        return this;
    }

    static boolean isPath(String path) {
        return path.equals(ROOT) || path.startsWith(ROOT + '/');
    }

    PageAnswer answer(PageRequest request) {
        try {
            return answer(200, JSON, serve(request));
        } catch (AdminException e) {
            return refusal(request, e);
        } catch (TimeoutException e) {
            return refusal(request, AdminException.unavailable(e.getMessage()));
        } catch (RuntimeException e) {
            log.error("{} {} failed", request.method(), request.uri(), e);
            Problem problem = new Problem(500, title(500), "a fault of the agent; its log has more", "INTERNAL_ERROR");
            return answer(500, "application/problem+json", problem);
        }
    }

    static PageAnswer refusal(PageRequest request, AdminException e) {
        log.debug("{} {}: {}", request.method(), request.uri(), e.getMessage());
        Problem problem = new Problem(e.status(), title(e.status()), e.getMessage(), e.code());
        PageAnswer refusal = answer(e.status(), "application/problem+json", problem);
        return e.allowed() == null ? refusal : refusal.with("Allow", e.allowed());
    }

    private static PageAnswer answer(int status, String contentType, Object document) {
        return PageAnswer.of(status, contentType, (Json.write(document) + '\n').getBytes(UTF_8));
    }

    private Object serve(PageRequest request) throws AdminException, TimeoutException {
        String path = request.uri().getRawPath().substring(ROOT.length());
        List<String> parts = new ArrayList<>();
        for (String part : path.isEmpty() ? new String[0] : path.substring(1).split("/")) {
            parts.add(decoded(part));
        }
        Map<String, Handler> methods = null;
        String name = null;
        synchronized (routes) {
            for (Map.Entry<List<String>, Map<String, Handler>> route : routes.entrySet()) {
                if (matches(route.getKey(), parts)) {
                    methods = route.getValue();
                    int place = route.getKey().indexOf(PLACE);
                    name = place < 0 ? null : parts.get(place);
                    break;
                }
            }
        }
        if (methods == null) {
            throw AdminException.notFound("no such path (expected: one of " + paths() + ")");
        }
        Handler handler = methods.get(request.method());
        if (handler == null) {
            String allowed = String.join(", ", methods.keySet());
            throw AdminException.methodNotAllowed(request.method(), allowed);
        }
        Map<String, String> query = query(request.uri().getRawQuery());
        return request.method().equals("GET")
                ? handler.handle(new AdminRequest(name, query, Map.of(), refusal(request), authorization(request)))
                : change(request, handler, name, query);
    }

    private Object change(PageRequest request, Handler handler, String name, Map<String, String> query)
            throws AdminException, TimeoutException {
        String refusal = refusal(request);
        if (refusal != null) {
            throw AdminException.forbidden(refusal);
        }
        checkContentType(request);
        if (request.body().length > AdminConnection.MAX_BODY) {
            throw AdminException.tooLarge("a body of more than " + AdminConnection.MAX_BODY + " bytes");
        }
        String text = new String(request.body(), UTF_8).strip();
        AdminRequest change = new AdminRequest(name, query, members(text), null, authorization(request));
        try {
            Object document = handler.handle(change);
            logChange(request, text, "");
            return document;
        } catch (AdminException e) {
            if (e.status() >= FAILURE_OF_THE_AGENT) {
                logFailedChange(request, text, e.getMessage());
            }
            throw e;
        } catch (TimeoutException e) {
            logFailedChange(request, text, e.getMessage());
            throw e;
        } catch (RuntimeException e) {
            logFailedChange(request, text, e.toString());
            throw e;
        }
    }

    /** Logs a change that failed; it may have been made, as a call whose answer was lost. */
    private static void logFailedChange(PageRequest request, String text, String failure) {
        logChange(request, text, " failed: " + PrintableText.brief(String.valueOf(failure)));
    }

    private static void logChange(PageRequest request, String text, String outcome) {
        String program = request.header("User-Agent");
        log.info(
                "{} {}{} by {} ({}){}",
                request.method(),
                request.uri(),
                text.isEmpty() ? "" : ' ' + PrintableText.brief(text),
                request.client(),
                program == null ? "no User-Agent" : PrintableText.brief(program),
                outcome);
    }

    /** Returns the reason for which the client may change nothing; null if it may. */
    private String refusal(PageRequest request) {
        if (changes == AdminSettings.Changes.NONE) {
            return "this agent takes no changes (admin.changes: none)";
        }
        if (changes == AdminSettings.Changes.LOCAL
                && !request.client().getAddress().isLoopbackAddress()) {
            return "changes are taken from this machine only, not from "
                    + request.client().getAddress().getHostAddress() + " (admin.changes: local)";
        }
        String origin = request.header("Origin");
        String host = request.header("Host");
        if (origin != null && !(origin.equals("http://" + host) && HostField.isAddress(host))) {
            return "a page of another server: " + PrintableText.brief(origin)
                    + " (expected: no Origin, or this address)";
        }
        return null;
    }

    private static String authorization(PageRequest request) {
        return request.header("Authorization");
    }

    private static void checkContentType(PageRequest request) throws AdminException {
        String contentType = request.header("Content-Type");
        if (contentType == null || !contentType.split(";")[0].strip().equalsIgnoreCase(JSON)) {
            throw AdminException.unsupportedMediaType("Content-Type: "
                    + (contentType == null ? "none" : PrintableText.brief(contentType)) + " (expected: " + JSON + ")");
        }
    }

    private static Map<String, Object> members(String text) throws AdminException {
        if (text.isEmpty()) {
            return Map.of();
        }
        Object value;
        try {
            value = Json.read(text);
        } catch (IllegalArgumentException e) {
            throw AdminException.badRequest("the body: " + e.getMessage());
        }
        if (!(value instanceof Map<?, ?> object)) {
            throw AdminException.badRequest("the body: " + PrintableText.brief(text) + " (expected: a JSON object)");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        object.forEach((member, each) -> members.put((String) member, each));
        return members;
    }

    /** @param raw null if there is none */
    private static Map<String, String> query(String raw) throws AdminException {
        Map<String, String> query = new LinkedHashMap<>();
        for (String parameter : raw == null ? new String[0] : raw.split("&")) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            query.put(decoded(name), equals < 0 ? "" : decoded(parameter.substring(equals + 1)));
        }
        return query;
    }

    private static boolean matches(List<String> route, List<String> parts) {
        boolean matches = route.size() == parts.size();
        for (int i = 0; matches && i < parts.size(); i++) {
            matches = route.get(i).equals(PLACE) || route.get(i).equals(parts.get(i));
        }
        return matches;
    }

    private String paths() {
        List<String> paths = new ArrayList<>();
        synchronized (routes) {
            routes.keySet().forEach(parts -> paths.add(ROOT + '/' + String.join("/", parts)));
        }
        return String.join(", ", paths);
    }

    private static String decoded(String part) throws AdminException {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
        } catch (IllegalArgumentException e) {
            throw AdminException.badRequest(PrintableText.brief(part) + " (expected: percent-encoded UTF-8)");
        }
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "Bad Request";
            case 403 -> "Forbidden";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 500 -> "Internal Server Error";
            default -> "Service Unavailable";
        };
    }
}
