package io.dubbomesh.registry.nacos;

import io.dubbomesh.registry.address.AccessFiles;
import io.dubbomesh.registry.address.ReachableAddress;
import io.dubbomesh.runtime.PrintableText;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * {@code nacos://host:8848[,host:8848][?namespace=ID&group=NAME&username-file=/file]}.
 *
 * @param servers   each {@code host:port}, by comma
 * @param namespace its id; empty for the public one
 * @param group     of the services
 * @param user      empty if there is no {@code username-file}
 */
record NacosUri(String servers, String namespace, String group, String user, String password) {
    static final String PREFIX = "nacos://";
    static final String FORM = "nacos://host:8848[,host:8848][?namespace=&group=&username-file=]";

    private static final int PORT = 8848;
    private static final String DEFAULT_GROUP = "DEFAULT_GROUP";
    private static final String USER = "username-file";
    private static final AccessFiles.User ANONYMOUS = new AccessFiles.User("", "");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

    /**
     * @throws IllegalArgumentException naming what is wrong, if the file of the user cannot be used as
     *     {@link AccessFiles.Unusable}
     */
    static NacosUri parse(String uri) {
        int question = uri.indexOf('?');
        StringJoiner servers = new StringJoiner(",");
        for (String server : uri.substring(PREFIX.length(), question < 0 ? uri.length() : question)
                .replaceFirst("/$", "")
                .split(",", -1)) {
            servers.add(ReachableAddress.parse(server, PORT).toString());
        }
        Map<String, String> options = question < 0 ? Map.of() : options(uri.substring(question + 1));
        AccessFiles.User user = options.containsKey(USER)
                ? AccessFiles.parse("nacos", USER + '=' + options.get(USER)).readUser()
                : ANONYMOUS;
        return new NacosUri(
                servers.toString(),
                options.getOrDefault("namespace", ""),
                options.getOrDefault("group", DEFAULT_GROUP),
                user.name(),
                user.password());
    }

    private static Map<String, String> options(String query) {
        Map<String, String> options = new LinkedHashMap<>();
        for (String option : query.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = option.substring(equals + 1);
            boolean good = switch (name) {
                case "namespace", "group" -> NAME.matcher(value).matches();
                case USER -> !value.isEmpty();
                default -> false;
            };
            if (!good || equals < 0 || options.put(name, value) != null) {
                throw new IllegalArgumentException("option " + PrintableText.brief(option));
            }
        }
        return options;
    }

    /** Returns the text without user and password. */
    @Override
    public String toString() {
        return PREFIX + servers + "?namespace=" + namespace + "&group=" + group;
    }
}
