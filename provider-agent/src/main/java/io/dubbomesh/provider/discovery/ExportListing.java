package io.dubbomesh.provider.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.runtime.PrintableText;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The services that a provider exports, as it lists them in the error about a service that it does not export: "Not found exported service:
 * ... in [blue/com.example.Shop:2.0.0:20880, com.example.Greeter:20880], may be version or group mismatch". All versions from 2.5 to 3.3 do so.
 */
final class ExportListing {
    /**
     * Dubbo 3 only lists where it exports the service in that version, in any group; it exports this one beside the application's. A request
     * without an argument is the one about which no version logs anything.
     */
    static final MethodName REQUEST =
            new MethodName("org.apache.dubbo.metadata.MetadataService", "$echo", "", "1.0.0", "-no-such-group-");

    private static final Pattern LIST = Pattern.compile("Not found exported service: \\S* in \\[([^\\]]*)");
    private static final Pattern SERVICE = Pattern.compile("(?:([^/]*)/)?([^/:]+)(?::([^:]+))?:\\d+");
    private static final String DUBBOS_OWN = "org.apache.dubbo.metadata.";
    private static final int MAX_LISTED = 50;

    private ExportListing() {}

    /** The services in the order of their names, each as {@code dubbo.services} names it; none if the text has no list. */
    static List<String> parse(String error) {
        Matcher list = LIST.matcher(error);
        if (!list.find()) {
            return List.of();
        }
        TreeSet<String> services = new TreeSet<>();
        for (String item : list.group(1).split(", ")) {
            Matcher service = SERVICE.matcher(item);
            if (service.matches() && !service.group(2).startsWith(DUBBOS_OWN)) {
                services.add(PrintableText.of(name(service)));
            }
        }
        List<String> listed = new ArrayList<>(services);
        if (listed.size() <= MAX_LISTED) {
            return List.copyOf(listed);
        }
        List<String> first = new ArrayList<>(listed.subList(0, MAX_LISTED));
        first.add("and " + (listed.size() - MAX_LISTED) + " more");
        return List.copyOf(first);
    }

    private static String name(Matcher service) {
        String version = service.group(3) == null ? "" : service.group(3);
        String group = service.group(1) == null ? "" : service.group(1);
        return new ServiceKey(service.group(2), version, group).toString();
    }
}
