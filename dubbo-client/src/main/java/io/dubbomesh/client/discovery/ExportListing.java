package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The services that a provider exports, as it lists them in the error about a service that it does not export: "Not
 * found exported service: ... in [blue/com.example.Shop:2.0.0:20880, com.example.Greeter:20880], may be version or
 * group mismatch". All versions from 2.5 to 3.3 do so.
 *
 * @param services   as {@code dubbo.services} names them
 * @param exports    the same
 * @param isComplete whether these are all, so that no other one is exported; not if the provider gives no list, or the
 *     text was cut
 */
record ExportListing(Set<String> services, Set<Export> exports, boolean isComplete) {
    static final ExportListing NONE = new ExportListing(Set.of(), Set.of(), false);

    /** @param port of the provider, which others may reach by another one */
    record Export(ServiceKey service, int port) {}

    /**
     * Dubbo 3 only lists where it exports the service in that version, in any group; it exports this one beside the
     * application's. A request without an argument is the one about which no version logs anything.
     */
    static final MethodName REQUEST =
            new MethodName("org.apache.dubbo.metadata.MetadataService", "$echo", "", "1.0.0", "-no-such-group-");

    private static final Pattern LIST = Pattern.compile("Not found exported service: \\S* in \\[([^\\]]*)(\\]?)");
    private static final Pattern SERVICE = Pattern.compile("(?:([^/]*)/)?([^/:]+)(?::([^:]+))?:(\\d{1,5})");
    private static final String DUBBOS_OWN = "org.apache.dubbo.metadata.";
    /** The prefix of services that Dubbo exports beside those of the application. */
    private static final String DUBBO = "org.apache.dubbo.";

    private static final int MAX_NAMED = 50;

    static ExportListing parse(String error) {
        Matcher list = LIST.matcher(error);
        if (!list.find()) {
            return NONE;
        }
        Set<String> services = new TreeSet<>();
        Set<Export> exports = new LinkedHashSet<>();
        boolean complete = !list.group(2).isEmpty();
        if (!list.group(1).isEmpty()) {
            for (String item : list.group(1).split(", ")) {
                Matcher service = SERVICE.matcher(item);
                if (service.matches()) {
                    ServiceKey key = key(service);
                    services.add(PrintableText.of(key.toString()));
                    exports.add(new Export(key, Integer.parseInt(service.group(4))));
                } else {
                    complete = false;
                }
            }
        }
        return new ExportListing(services, exports, complete);
    }

    private static ServiceKey key(Matcher service) {
        String version = service.group(3) == null ? "" : service.group(3);
        String group = service.group(1) == null ? "" : service.group(1);
        return new ServiceKey(service.group(2), version, group);
    }

    /** Returns whether the provider has listed anything; Dubbo lists at least what it exports itself. */
    boolean isGiven() {
        return isComplete || !services.isEmpty();
    }

    /**
     * Returns the services of the application that can be called at this port; at any port, if none has this one, as
     * behind an address that is mapped. Those of Dubbo itself are left out, and what cannot be an interface, as a path
     * that was set by hand.
     */
    Set<ServiceKey> ofApplication(int port) {
        boolean isMapped = exports.stream().noneMatch(export -> export.port == port);
        Set<ServiceKey> found = new LinkedHashSet<>();
        for (Export export : exports) {
            ServiceKey service = export.service;
            if ((isMapped || export.port == port)
                    && !service.service().startsWith(DUBBO)
                    && ServiceKey.isInterfaceName(service.service())) {
                found.add(service);
            }
        }
        return found;
    }

    boolean has(ServiceKey service) {
        return services.contains(PrintableText.of(service.toString()));
    }

    /**
     * Returns the services of the application in the order of their names, and how many more there are if they are
     * many, for operators.
     */
    List<String> names() {
        List<String> names = new ArrayList<>(
                services.stream().filter(name -> !name.startsWith(DUBBOS_OWN)).toList());
        if (names.size() > MAX_NAMED) {
            String rest = "and " + (names.size() - MAX_NAMED) + " more";
            names.subList(MAX_NAMED, names.size()).clear();
            names.add(rest);
        }
        return List.copyOf(names);
    }
}
