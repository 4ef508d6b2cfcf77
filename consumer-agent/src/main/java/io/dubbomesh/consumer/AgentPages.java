package io.dubbomesh.consumer;

import io.dubbomesh.consumer.call.CallReader.Page;
import io.dubbomesh.consumer.http.response.Responder;
import io.dubbomesh.consumer.http.response.Response;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.registry.Directory;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.json.Json;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Answers requests for what the agent itself knows. Owned by one event loop. */
final class AgentPages {
    private static final int MAX_SERVICES = 5_000;

    private final Response response;
    private final TypeSources sources;
    /** Null until the registry has answered. */
    private Directory directory;

    private ByteBuf errors;
    /** All services in order; null if they are to be listed anew. */
    private List<ServiceLink> links;

    private int linksRevision;
    /** The list that was asked for last; null if there is none. */
    private ListPage last;

    /**
     * The services.
     *
     * @param more       that were left out; null if none
     * @param anyService true where the registry serves every service, and lists none; else null
     * @param errors     the path of the page of errors
     */
    private record ServiceList(Collection<ServiceLink> services, Integer more, Boolean anyService, String errors) {}

    /**
     * A service.
     *
     * @param types    where its types are known from; null until it was described
     * @param describe the path of its description
     */
    private record ServiceLink(
            String service, int endpoints, Collection<Variant> served, String types, String describe) {}

    /** @param services that are in it, of those that are listed */
    private record ListPage(List<ServiceLink> services, int more, ByteBuf content) {
        /** Returns whether it has these services, which were listed at the same time if they are the same. */
        boolean isOf(List<ServiceLink> others, int moreOfThem) {
            if (services.size() != others.size() || more != moreOfThem) {
                return false;
            }
            for (int i = 0; i < others.size(); i++) {
                if (services.get(i) != others.get(i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * @param response of the loop, not closed here
     * @param sources  of the types of services
     */
    AgentPages(Response response, TypeSources sources) {
        this.response = response;
        this.sources = sources;
    }

    void update(Directory changed) {
        directory = changed;
        links = null;
        sources.retain(service -> changed.isOfAnyService()
                || changed.endpoints(service) != null
                        && !changed.endpoints(service).isEmpty());
    }

    /** @param mayKnow whether the client may know a service */
    void respond(Page page, Predicate<String> mayKnow, Responder responder) {
        if (page == Page.ERRORS) {
            responder.respond(errorsPage());
            return;
        }
        ByteBuf content = services(mayKnow);
        responder.respond(response.set(Outcome.OK, Response.Content.JSON, content, 0, 0, content.readableBytes()));
    }

    Response errorsPage() {
        ByteBuf content = errors();
        return response.set(Outcome.OK, Response.Content.HTML, content, 0, 0, content.readableBytes());
    }

    private ByteBuf errors() {
        if (errors == null) {
            errors = Unpooled.copiedBuffer(ErrorsPage.html(), UTF_8);
        }
        return errors;
    }

    /** Returns the list for a client; that of the one before if it has the same services. */
    private ByteBuf services(Predicate<String> mayKnow) {
        List<ServiceLink> services = new ArrayList<>();
        int more = 0;
        for (ServiceLink link : links()) {
            if (mayKnow.test(link.service)) {
                if (services.size() < MAX_SERVICES) {
                    services.add(link);
                } else {
                    more++;
                }
            }
        }
        if (last == null || !last.isOf(services, more)) {
            Boolean anyService = directory != null && directory.isOfAnyService() ? Boolean.TRUE : null;
            ServiceList list = new ServiceList(services, more == 0 ? null : more, anyService, "/docs/errors.md");
            last = new ListPage(services, more, Unpooled.copiedBuffer(Json.write(list), UTF_8));
        }
        return last.content;
    }

    private List<ServiceLink> links() {
        if (links == null || linksRevision != sources.revision()) {
            linksRevision = sources.revision();
            links = new ArrayList<>();
            last = null;
            if (directory != null && !directory.isOfAnyService()) {
                new TreeSet<>(directory.services()).forEach(service -> links.add(link(service)));
            }
        }
        return links;
    }

    private ServiceLink link(String service) {
        return new ServiceLink(
                service,
                directory.endpoints(service).size(),
                Variant.of(directory.endpoints(service)),
                sources.of(service),
                '/' + URLEncoder.encode(service, UTF_8));
    }
}
