package io.dubbomesh.registry.config;

import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.Endpoint;
import io.dubbomesh.registry.Registry;
import io.dubbomesh.registry.RegistryKind;
import io.dubbomesh.registry.Variant;
import io.dubbomesh.registry.ZoneName;
import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.registry.dns.DnsRegistry;
import io.dubbomesh.registry.dns.DnsUri;
import io.dubbomesh.registry.dubbo.DubboProvider;
import io.dubbomesh.registry.etcd.EtcdAccess;
import io.dubbomesh.registry.etcd.EtcdDubboRegistry;
import io.dubbomesh.registry.etcd.EtcdRegistry;
import io.dubbomesh.registry.file.FileRegistry;
import io.dubbomesh.registry.fixed.FixedRegistry;
import io.dubbomesh.registry.merged.MergedRegistry;
import io.dubbomesh.registry.metadata.MetadataSource;
import io.dubbomesh.runtime.HostPort;
import io.dubbomesh.runtime.ShownUri;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Opens the registries that a text names. Another kind of registry is a package of its own beside {@code etcd}, and a
 * case here; or a module of its own with a {@link RegistryKind}.
 */
public final class RegistryUri {
    /** The time by which a registration outlives its agent: long enough for etcd to be restarted. */
    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

    private static final int ETCD_PORT = 2379;
    private static final String ETCD_DUBBO = "etcd+dubbo://";
    private static final String FILE = "file:";
    private static final String STATIC = "static:";
    /** A member of {@link #STATIC} that is a Dubbo provider, not a provider agent. */
    private static final String DUBBO = "dubbo://";
    /** The same by Triple. */
    private static final String TRIPLE = "tri://";
    /** A server of gRPC, which is called like a provider by Triple. */
    private static final String GRPC = "grpc://";

    private static final Pattern ETCD = Pattern.compile("(etcd|http)://");
    /**
     * A part that begins so begins a registry; others, as {@code b:2379} in {@code etcd://a:2379,b:2379}, belong to the
     * one before.
     */
    private static final Pattern BEGIN = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://.*|file:/.*|static:.*");

    private static final Pattern ROOT = Pattern.compile("[A-Za-z0-9._-]*(/[A-Za-z0-9._-]+)*");
    private static final Pattern WEIGHT = Pattern.compile("[0-9]{1,4}");

    private RegistryUri() {}

    /**
     * Opens a registry, or several with commas between them, without waiting for them:
     * <ul>
     *   <li>{@code etcd://host:2379[,host:2379]} or the same with {@code http://}
     *   <li>{@code etcd+dubbo://host:2379[,host:2379][/root]}: what Dubbo providers register in etcd themselves; either
     *       may be followed by a question mark and an {@link EtcdAccess}
     *   <li>{@code file:/dir}: a directory for the agents of one machine
     *   <li>{@code static:host:port*weight,...}: these endpoints for every service, provider agents or, with
     *       {@code dubbo://} or {@code tri://} before the host, Dubbo providers, with {@code grpc://} servers of gRPC;
     *       {@code /zone} behind one says where it is; registers nothing, and stands alone
     *   <li>{@code dns://name[:port]/interface[:version[:group]],...}: the providers behind a name; see {@link DnsUri}
     *   <li>what a {@link RegistryKind} on the class path adds
     * </ul>
     *
     * @throws IllegalArgumentException if there is no such registry: {@code VALUE (expected: ...)}
     */
    public static Registry open(String uri) {
        return open(uri, DEFAULT_LEASE);
    }

    /** Opens a registry like {@link #open(String)}, with a lease for etcd of 2 seconds to an hour. */
    public static Registry open(String uri, Duration lease) {
        return open(uri, lease, MetadataSource.NONE);
    }

    /** Opens a registry in which instances of applications of Dubbo 3 may be listed. */
    public static Registry open(String uri, MetadataSource metadata) {
        return open(uri, DEFAULT_LEASE, metadata);
    }

    private static Registry open(String uri, Duration lease, MetadataSource metadata) {
        Registry registry = opened(uri, lease, metadata);
        split(uri).forEach(RegistryUri::warnOfPublicFiles);
        return registry;
    }

    /** Opens a registry and logs nothing: settings are checked before there is a log, and by tools. */
    static Registry openToCheck(String uri) {
        return opened(uri, DEFAULT_LEASE, MetadataSource.NONE);
    }

    private static void warnOfPublicFiles(String uri) {
        int question = uri.indexOf('?');
        // The name of a directory may have a question mark.
        if (question >= 0 && !uri.startsWith(FILE)) {
            boolean isEtcd = ETCD.matcher(uri).lookingAt() || uri.startsWith(ETCD_DUBBO);
            String registry = isEtcd ? "etcd" : uri.substring(0, uri.indexOf(':'));
            AccessFiles.warnOfPublic(registry, uri.substring(question + 1));
        }
    }

    private static Registry opened(String uri, Duration lease, MetadataSource metadata) {
        List<String> uris = split(uri);
        if (uris.size() > 1 && uris.stream().anyMatch(part -> part.startsWith(STATIC))) {
            throw malformed(uri, null);
        }
        List<MergedRegistry.Named> registries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String part : uris) {
            try {
                registries.add(new MergedRegistry.Named(ShownUri.of(part), openOne(part, lease, metadata)));
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            registries.forEach(named -> named.registry().close());
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return registries.size() == 1 ? registries.get(0).registry() : new MergedRegistry(registries);
    }

    /** Returns the registries that a text names, each as clients may see it: without the values of its options. */
    public static List<String> names(String uri) {
        return split(uri).stream().map(ShownUri::of).toList();
    }

    /** Members of one etcd may each have their {@code http://}, as etcd's own tools take it. */
    private static List<String> split(String uri) {
        List<String> uris = new ArrayList<>();
        for (String part : uri.split(",", -1)) {
            int last = uris.size() - 1;
            boolean begins = last < 0 || BEGIN.matcher(part).matches() && !isMember(part, uris.get(last));
            if (begins) {
                uris.add(part);
            } else {
                uris.set(last, uris.get(last) + ',' + part);
            }
        }
        return uris;
    }

    /** Returns whether a part that could begin a registry belongs to the one before. */
    private static boolean isMember(String part, String before) {
        return ETCD.matcher(part).lookingAt() && ETCD.matcher(before).lookingAt()
                || (part.startsWith(DUBBO) || isTriple(part)) && before.startsWith(STATIC);
    }

    private static boolean isTriple(String member) {
        return member.startsWith(TRIPLE) || member.startsWith(GRPC);
    }

    private static Registry openOne(String uri, Duration lease, MetadataSource metadata) {
        if (ETCD.matcher(uri).lookingAt() || uri.startsWith(ETCD_DUBBO)) {
            int question = uri.indexOf('?');
            EtcdAccess access = question < 0 ? EtcdAccess.OPEN : EtcdAccess.parse(uri.substring(question + 1));
            String place = question < 0 ? uri : uri.substring(0, question);
            return uri.startsWith(ETCD_DUBBO)
                    ? parsed(uri, text -> etcdDubbo(place, access, lease, metadata))
                    : new EtcdRegistry(parsed(uri, text -> etcd(place)), access, lease);
        }
        if (uri.startsWith(FILE)) {
            return new FileRegistry(parsed(uri, RegistryUri::file));
        }
        if (uri.startsWith(STATIC)) {
            return new FixedRegistry(parsed(uri, RegistryUri::endpoints));
        }
        if (uri.startsWith(DnsUri.SCHEME)) {
            return new DnsRegistry(DnsUri.parse(uri));
        }
        for (RegistryKind kind : ServiceLoader.load(RegistryKind.class)) {
            if (uri.startsWith(kind.prefix())) {
                return parsed(uri, text -> kind.open(text, lease, metadata));
            }
        }
        throw malformed(uri, null);
    }

    private static <T> T parsed(String uri, Function<String, T> parser) {
        try {
            return parser.apply(uri);
        } catch (AccessFiles.Unusable e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw malformed(uri, e);
        }
    }

    private static List<HostPort> etcd(String uri) {
        List<HostPort> members = new ArrayList<>();
        for (String member : uri.split(",", -1)) {
            String address = ETCD.matcher(member).replaceFirst("");
            members.add(ReachableAddress.parse(address.replaceFirst("/$", ""), ETCD_PORT));
        }
        return members;
    }

    private static Registry etcdDubbo(String uri, EtcdAccess access, Duration lease, MetadataSource metadata) {
        String rest = uri.substring(ETCD_DUBBO.length());
        int slash = rest.indexOf('/');
        String root = slash < 0 ? "" : rest.substring(slash + 1).replaceFirst("/$", "");
        if (!ROOT.matcher(root).matches()) {
            throw new IllegalArgumentException("root " + root);
        }
        return new EtcdDubboRegistry(
                etcd(slash < 0 ? rest : rest.substring(0, slash)),
                access,
                '/' + (root.isEmpty() ? "dubbo" : root) + '/',
                lease,
                metadata);
    }

    private static Path file(String uri) {
        String path = uri.substring(FILE.length()).replaceFirst("^//(?=/)", "");
        Path folder = Path.of(path);
        if (path.isEmpty() || path.startsWith("//") || !folder.isAbsolute()) {
            throw new InvalidPathException(path, "not an absolute path");
        }
        return folder;
    }

    private static List<Endpoint> endpoints(String uri) {
        List<Endpoint> endpoints = new ArrayList<>();
        for (String member : uri.substring(STATIC.length()).split(",", -1)) {
            boolean triple = isTriple(member);
            boolean direct = triple || member.startsWith(DUBBO);
            String place = direct ? member.substring(member.indexOf("://") + "://".length()) : member;
            int slash = place.indexOf('/');
            String text = slash < 0 ? place : place.substring(0, slash);
            int star = text.indexOf('*');
            HostPort address = ReachableAddress.parse(star < 0 ? text : text.substring(0, star));
            int otherwise = direct ? Endpoint.DIRECT_WEIGHT : Endpoint.DEFAULT_WEIGHT;
            int weight = star < 0 ? otherwise : weight(text.substring(star + 1));
            Map<String, String> parameters = triple ? Map.of(DubboExport.PROTOCOL, DubboProvider.TRIPLE) : Map.of();
            List<DubboExport> exports =
                    direct ? List.of(new DubboExport(Variant.NONE, "", "", "", "", parameters)) : List.of();
            Endpoint endpoint =
                    new Endpoint(address.host(), address.port(), weight, Endpoint.DEFAULT_LIMIT, List.of(), exports);
            endpoints.add(slash < 0 ? endpoint : endpoint.withZone(zone(place.substring(slash + 1))));
        }
        return endpoints;
    }

    private static String zone(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("no zone behind a slash");
        }
        return ZoneName.checked(text);
    }

    private static int weight(String text) {
        if (!WEIGHT.matcher(text).matches() || Integer.parseInt(text) > Endpoint.MAX_WEIGHT) {
            throw new IllegalArgumentException("weight out of range (expected: 0-" + Endpoint.MAX_WEIGHT + ")");
        }
        return Integer.parseInt(text);
    }

    private static IllegalArgumentException malformed(String uri, Exception cause) {
        StringJoiner forms = new StringJoiner(", ");
        forms.add("etcd://host:2379[,host:2379][?username-file=&ca=&cert=&key=]");
        forms.add("etcd+dubbo://host:2379[,host:2379][/root][?username-file=&ca=&cert=&key=]");
        ServiceLoader.load(RegistryKind.class).forEach(kind -> forms.add(kind.form()));
        forms.add(DnsUri.EXPECTED);
        return new IllegalArgumentException(
                ShownUri.of(uri) + " (expected: " + forms + ", file:/dir or static:host:port*weight,...)", cause);
    }
}
