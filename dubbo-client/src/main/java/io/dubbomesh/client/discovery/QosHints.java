package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.runtime.HostPort;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The services that Dubbo's QoS at the provider's host lists: the command {@code ls} of Dubbo 2.7 and 3. It may be that
 * of another process, and names services of every protocol.
 * <pre>
 *   As Provider side:
 *   +-----------------------------+---+
 *   |    Provider Service Name    |PUB|
 *   +-----------------------------+---+
 *   |blue/com.example.Shop:2.0.0  | N |
 *   +-----------------------------+---+
 *   As Consumer side:
 * </pre>
 */
public final class QosHints implements ExportHints {
    private static final Logger LOG = LoggerFactory.getLogger(QosHints.class);
    private static final String COMMAND = "ls";
    private static final String CONSUMERS = "As Consumer side:";
    private static final Pattern ROW =
            Pattern.compile("\\|\\s*(?:([^/|\\s]+)/)?([^/:|\\s]+)(?::([^:|\\s]+))?\\s*\\|[^|]*\\|");
    private static final String DUBBO = "org.apache.dubbo.";

    private final HostPort address;
    private final long timeoutMs;

    public QosHints(HostPort address, long timeoutMs) {
        this.address = address;
        this.timeoutMs = timeoutMs;
    }

    @Override
    public String source() {
        return "Dubbo's QoS at " + address;
    }

    @Override
    public Set<ServiceKey> services() {
        long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        try (DiscoveryConnection connection =
                new DiscoveryConnection(address, Serialization.HESSIAN2, null, deadlineNs)) {
            return parse(connection.telnet(COMMAND));
        } catch (IOException e) {
            LOG.debug("QoS at {}: {}", address, e.getMessage());
            return Set.of();
        }
    }

    static Set<ServiceKey> parse(String answer) {
        Set<ServiceKey> services = new LinkedHashSet<>();
        for (String line : answer.split("\r?\n")) {
            if (line.startsWith(CONSUMERS)) {
                break;
            }
            Matcher row = ROW.matcher(line.strip());
            if (row.matches()
                    && ServiceKey.isInterfaceName(row.group(2))
                    && !row.group(2).startsWith(DUBBO)) {
                services.add(new ServiceKey(row.group(2), orEmpty(row.group(3)), orEmpty(row.group(1))));
            }
        }
        return services;
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
