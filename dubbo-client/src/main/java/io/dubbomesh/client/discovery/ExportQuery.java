package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.netty.buffer.ByteBuf;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks the provider for all that it exports, over a short connection: by the list in its error about a service that it
 * does not export. In all versions that lists what is exported by the protocol {@code dubbo}, and nothing else.
 */
final class ExportQuery {
    private static final Logger LOG = LoggerFactory.getLogger(ExportQuery.class);

    /** The exports of a provider that has not answered, or has not listed anything. */
    static final Exports UNKNOWN = new Exports(Map.of(), Set.of(), List.of(), null);

    private final ProviderContact provider;
    private final long timeoutMs;
    private boolean answered;

    ExportQuery(ProviderContact provider, long timeoutMs) {
        this.provider = provider;
        this.timeoutMs = timeoutMs;
    }

    /** Blocks until the provider has answered, or the time is over. */
    Exports run() {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        DubboResponseReader answers =
                new DubboResponseReader(DubboResponseReader.MAX_DOCUMENT, false, provider.serialization());
        try (DiscoveryConnection connection = provider.open(deadlineNs)) {
            long list = connection.send(ExportListing.REQUEST);
            ByteBuf answer;
            do {
                answer = connection.readAnswer(deadlineNs);
            } while (answer != null && DubboHeader.requestId(answer, 0) != list);
            answered = answer != null;
            ExportListing listing = answer == null ? ExportListing.NONE : ExportListing.parse(answers.error(answer, 0));
            if (listing.isGiven()) {
                return new Exports(
                        Map.of(),
                        Set.of(),
                        listing.names(),
                        listing.ofApplication(provider.address().port()));
            }
        } catch (IOException e) {
            LOG.debug("provider {}: what it exports: {}", provider, e.getMessage());
        }
        return UNKNOWN;
    }

    /** Returns whether the provider has answered, so that it has no list if nothing is known. */
    boolean isAnswered() {
        return answered;
    }
}
