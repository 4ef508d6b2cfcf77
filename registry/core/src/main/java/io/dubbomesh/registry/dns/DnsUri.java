package io.dubbomesh.registry.dns;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.ZoneName;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.FileFailure;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.ShownUri;
import io.netty.util.NetUtil;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * {@code dns://name[:port]/interface[:version[:group]],...[?option=value&...]}: a name, and what the providers behind
 * it export.
 *
 * @param text          as it was given
 * @param name          a name or an IP address, IPv6 without brackets
 * @param port          0 if SRV records have it
 * @param services      the versions and groups by interface
 * @param agents        whether provider agents are behind the name, not providers
 * @param serialization what providers prefer, by Dubbo's name; empty for Dubbo's default
 * @param token         what providers demand; empty for none
 * @param zone          where the providers or agents are, see {@link ZoneName}; empty if it is not told
 * @param server        the name server to be asked; null: those of the system
 */
public record DnsUri(
        String text,
        String name,
        int port,
        Map<String, List<Variant>> services,
        boolean agents,
        String serialization,
        String token,
        String zone,
        HostPort server) {
    /** The beginning of such a text. */
    public static final String SCHEME = "dns://";
    /** The expected form, for messages. */
    public static final String EXPECTED = "dns://name[:port]/interface[:version[:group]],...";

    private static final int NAME_SERVER_PORT = 53;
    private static final int MAX_LABEL_LENGTH = 63;
    private static final int MAX_NAME_LENGTH = 253;
    /** Dubbo's default. */
    private static final int DIRECT_WEIGHT = 100;

    private static final int MAX_TOKEN_BYTES = 8 * 1024;
    private static final String OPTIONS = "token-file, serialization, kind, zone or server";
    private static final Pattern INTERFACE =
            Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");
    private static final Pattern VARIANT_PART = Pattern.compile("[^\\s:,?&/*]*");
    private static final Pattern SERIALIZATION = Pattern.compile("[a-z0-9-]{1,32}");

    public DnsUri {
        services = Map.copyOf(services);
    }

    /** Returns the text without the token. */
    @Override
    public String toString() {
        return text;
    }

    /**
     * Reads the text, and the file of {@code token-file}.
     *
     * @throws IllegalArgumentException if it is malformed: {@code VALUE (expected: ...)}
     */
    public static DnsUri parse(String text) {
        try {
            return parsed(text);
        } catch (IllegalArgumentException e) {
            // What was not understood in front of an @ may be a password.
            String reason = text.indexOf('@') < 0 ? ": " + e.getMessage() : " (expected: " + EXPECTED + ")";
            throw new IllegalArgumentException(ShownUri.of(text) + reason, e);
        }
    }

    private static DnsUri parsed(String text) {
        int question = text.indexOf('?');
        String head = text.substring(SCHEME.length(), question < 0 ? text.length() : question);
        int slash = head.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("no services (expected: " + EXPECTED + ")");
        }
        HostPort address = address(head.substring(0, slash));
        Map<String, List<Variant>> services = services(head.substring(slash + 1));
        Map<String, String> options = question < 0 ? Map.of() : options(text.substring(question + 1));
        boolean agents = isAgents(options.getOrDefault("kind", "dubbo"));
        if (agents && (options.containsKey("token-file") || options.containsKey("serialization"))) {
            throw new IllegalArgumentException(
                    "kind=mesh with token-file or serialization (expected: those at the provider agents)");
        }
        return new DnsUri(
                text,
                address.host(),
                address.port(),
                services,
                agents,
                serialization(options.getOrDefault("serialization", "")),
                options.containsKey("token-file") ? token(options.get("token-file")) : "",
                ZoneName.checked(options.getOrDefault("zone", "")),
                options.containsKey("server") ? ReachableAddress.parse(options.get("server"), NAME_SERVER_PORT) : null);
    }

    /** Returns the address, with port 0 if there is none. */
    private static HostPort address(String text) {
        boolean hasPort = text.indexOf(':', text.indexOf(']') + 1) >= 0;
        HostPort address = hasPort
                ? ReachableAddress.parse(text)
                : new HostPort(ReachableAddress.parse(text, NAME_SERVER_PORT).host(), 0);
        if (hasPort && address.host().startsWith("_")) {
            throw new IllegalArgumentException("a port behind a name of SRV records (expected: none, they have it)");
        }
        if (!hasPort && NetUtil.createByteArrayFromIpAddressString(address.host()) != null) {
            throw new IllegalArgumentException("no port behind an IP address (expected: " + EXPECTED + ")");
        }
        if (!isName(address.host()) && NetUtil.createByteArrayFromIpAddressString(address.host()) == null) {
            throw new IllegalArgumentException("name " + PrintableText.brief(address.host())
                    + " (expected: labels of 1-" + MAX_LABEL_LENGTH + " characters, " + MAX_NAME_LENGTH + " together)");
        }
        return address;
    }

    /** Returns whether a question about it can be written. A dot at the end means that the name is whole. */
    private static boolean isName(String text) {
        String name = text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
        return name.length() <= MAX_NAME_LENGTH
                && Arrays.stream(name.split("\\.", -1))
                        .allMatch(label -> !label.isEmpty() && label.length() <= MAX_LABEL_LENGTH);
    }

    private static Map<String, List<Variant>> services(String text) {
        Map<String, List<Variant>> services = new LinkedHashMap<>();
        for (String entry : text.split(",", -1)) {
            String[] parts = entry.split(":", -1);
            if (parts.length > 3
                    || !INTERFACE.matcher(parts[0]).matches()
                    || !VARIANT_PART.matcher(part(parts, 1)).matches()
                    || !VARIANT_PART.matcher(part(parts, 2)).matches()) {
                throw new IllegalArgumentException(
                        "service " + PrintableText.brief(entry) + " (expected: interface[:version[:group]])");
            }
            Variant variant = new Variant(part(parts, 1), part(parts, 2));
            List<Variant> known = services.computeIfAbsent(parts[0], service -> new ArrayList<>());
            if (!known.contains(variant)) {
                known.add(variant);
            }
        }
        return services;
    }

    private static String part(String[] parts, int index) {
        return index < parts.length ? parts[index] : "";
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            switch (name) {
                case "token-file", "serialization", "kind", "zone", "server" -> {
                    if (equals < 0 || options.put(name, option.substring(equals + 1)) != null) {
                        throw new IllegalArgumentException("option " + name + " (expected: once, with a value)");
                    }
                }
                default ->
                    throw new IllegalArgumentException("option " + (equals < 0 ? "..." : PrintableText.brief(name))
                            + " (expected: " + OPTIONS + ")");
            }
        }
        return options;
    }

    private static boolean isAgents(String kind) {
        return switch (kind) {
            case "dubbo" -> false;
            case "mesh" -> true;
            default ->
                throw new IllegalArgumentException("kind=" + PrintableText.brief(kind)
                        + " (expected: dubbo for providers, mesh for provider agents)");
        };
    }

    private static String serialization(String text) {
        if (!text.isEmpty() && !SERIALIZATION.matcher(text).matches()) {
            throw new IllegalArgumentException("serialization=" + PrintableText.brief(text)
                    + " (expected: Dubbo's name of one, such as hessian2)");
        }
        return text;
    }

    private static String token(String file) {
        try {
            Path path = Path.of(file);
            if (Files.size(path) > MAX_TOKEN_BYTES) {
                throw new IllegalArgumentException(
                        "token-file " + PrintableText.brief(file) + " is too large (expected: one token)");
            }
            List<String> lines = Files.readString(path, UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .toList();
            if (lines.size() != 1) {
                throw new IllegalArgumentException("token-file " + PrintableText.brief(file) + " has " + lines.size()
                        + " lines (expected: one token)");
            }
            return lines.get(0);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "token-file " + PrintableText.brief(file) + " cannot be read: " + FileFailure.reason(e), e);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("token-file " + PrintableText.brief(file) + " is not a path", e);
        }
    }

    /** Returns the endpoint at an address, for one of the {@link #services}. */
    Endpoint endpoint(String service, DnsAddress address) {
        List<Variant> variants = services.get(service);
        List<DubboExport> exports = agents
                ? List.of()
                : variants.stream()
                        .map(variant -> new DubboExport(variant, "", "", serialization, token, Map.of()))
                        .toList();
        return new Endpoint(address.host(), address.port(), weight(address), Endpoint.DEFAULT_LIMIT, variants, exports)
                .withZone(zone);
    }

    private int weight(DnsAddress address) {
        if (address.weight() >= 0) {
            return Math.min(Endpoint.MAX_WEIGHT, address.weight());
        }
        return agents ? Endpoint.DEFAULT_WEIGHT : DIRECT_WEIGHT;
    }
}
