package io.dubbomesh.client.definition;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.DefinitionJson;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.registry.MetadataReport;
import io.dubbomesh.registry.ReportedService;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.runtime.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The definitions of services in the metadata reports of registries, and in the cache while a registry does not answer.
 * Blocking, not for event loops; thread-safe.
 */
public final class ReportedDefinitions {
    /** The definitions of an agent whose registries have none. */
    public static final ReportedDefinitions NONE = new ReportedDefinitions(List.of(), null);

    private static final Logger LOG = LoggerFactory.getLogger(ReportedDefinitions.class);
    private static final int MAX_LOGGED = 1_000;

    private final List<MetadataReport> reports;
    private final DefinitionCache cache;
    /** Complaints that the log has. */
    private final Set<String> logged = new HashSet<>();

    private boolean outageLogged;

    /**
     * @param definition null if none is reported, or a malformed one
     * @param isFinal    whether asking once more can have no other result before the provider changes
     */
    public record Found(ServiceDefinition definition, boolean isFinal) {}

    /**
     * @param reports the first that has a definition counts
     * @param cache   null for none
     */
    public ReportedDefinitions(List<MetadataReport> reports, DefinitionCache cache) {
        this.reports = List.copyOf(reports);
        this.cache = cache;
    }

    /** Returns whether any can be found. */
    public boolean areAny() {
        return !reports.isEmpty();
    }

    /**
     * Finds one. Applications report asynchronously, so one that is not there may come later.
     *
     * @param application that exports the service; empty if it is not known
     * @param revision    of the application, by which the cache tells definitions apart; empty if there is none
     */
    public Found find(ServiceKey service, String application, String revision, long deadlineNs) {
        ReportedService reported =
                new ReportedService(service.service(), new Variant(service.version(), service.group()), application);
        boolean answered = true;
        for (MetadataReport report : reports) {
            long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
            try {
                String text = leftMs <= 0 ? timeout() : report.definition(reported, leftMs);
                if (text != null) {
                    outageEnded();
                    return new Found(read(service, application, revision, text), true);
                }
            } catch (IOException | IllegalArgumentException e) {
                // The latter of a name that the registry cannot have.
                answered = false;
                logOutage(service, e);
            }
        }
        if (answered) {
            outageEnded();
            return new Found(null, reports.isEmpty());
        }
        return new Found(cached(service, application, revision), false);
    }

    private static String timeout() throws IOException {
        throw new IOException("no answer in time");
    }

    private ServiceDefinition read(ServiceKey service, String application, String revision, String text) {
        try {
            ServiceDefinition definition = DefinitionJson.parse(text).from(DefinitionSource.METADATA_REPORT);
            if (cache != null) {
                cache.put(service, application, revision, DefinitionJson.compact(text));
            }
            return definition;
        } catch (MalformedDefinitionException e) {
            logMalformed(service, application, e);
            return null;
        }
    }

    private ServiceDefinition cached(ServiceKey service, String application, String revision) {
        String text = cache == null ? null : cache.get(service, application, revision);
        try {
            return text == null ? null : DefinitionJson.parse(text).from(DefinitionSource.METADATA_REPORT);
        } catch (MalformedDefinitionException e) {
            logMalformed(service, application, e);
            return null;
        }
    }

    private synchronized void logMalformed(
            ServiceKey service, String application, MalformedDefinitionException malformed) {
        String reported = service + (application.isEmpty() ? "" : " by " + application);
        String complaint = PrintableText.brief(malformed.getMessage());
        if (logged.size() < MAX_LOGGED && logged.add(reported + '\n' + complaint)) {
            LOG.warn("metadata report about {}: {}; not used", reported, complaint);
        }
    }

    private synchronized void logOutage(ServiceKey service, Exception failure) {
        if (!outageLogged) {
            outageLogged = true;
            LOG.warn(
                    "metadata report about {}: {}; {}",
                    service,
                    failure.getMessage(),
                    cache == null ? "asked again later" : "types.cache is used, and the report asked again later");
        }
    }

    private synchronized void outageEnded() {
        if (outageLogged) {
            outageLogged = false;
            LOG.info("metadata reports can be read again");
        }
    }
}
