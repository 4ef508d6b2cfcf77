package io.dubbomesh.registry.file;

import io.dubbomesh.runtime.HostPort;

/**
 * The name of an endpoint's file. The colons of IPv6 become dashes, since Windows allows none:
 * {@code 192.0.2.7_30000}, {@code [2001-db8--7]_30000}.
 */
final class FileName {
    private FileName() {}

    static String of(HostPort address) {
        String host = address.host();
        return (host.indexOf(':') < 0 ? host : '[' + host.replace(':', '-') + ']') + '_' + address.port();
    }

    /** What would be the end of the key in etcd; good or not shows when the key is parsed. */
    static String address(String name) {
        int underscore = name.lastIndexOf('_');
        if (underscore < 0) {
            return name;
        }
        String host = name.substring(0, underscore);
        return (host.startsWith("[") ? host.replace('-', ':') : host) + ':' + name.substring(underscore + 1);
    }
}
