package io.dubbomesh.registry.etcd;

import io.dubbomesh.runtime.PrintableText;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.ClientBuilder;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * How an agent proves to etcd who it is, and etcd to the agent: by files, which are read again for each connection. All are optional.
 *
 * @param user the name of a user and, in the second line, the password
 * @param ca   PEM: the authorities that may have signed etcd's certificate. With it the connection uses TLS
 * @param cert PEM: the agent's certificate and those that lead to the authority of agents
 * @param key  of the certificate, PEM in PKCS#8
 */
public record EtcdAccess(Path user, Path ca, Path cert, Path key) {
    /** To an etcd that asks for nothing. */
    public static final EtcdAccess OPEN = new EtcdAccess(null, null, null, null);

    private static final String FORM =
            "username-file=FILE, ca=FILE, and with ca both or none of cert=FILE and key=FILE";
    private static final Set<String> OPTIONS = Set.of("username-file", "ca", "cert", "key");
    private static final int MAX_FILE_BYTES = 8 * 1024;

    private record User(ByteSequence name, ByteSequence password) {}

    /**
     * Reads {@code username-file=/file&ca=/file&cert=/file&key=/file}, any of them, and the files.
     *
     * @throws IllegalArgumentException naming the option and what is wrong with it or its file
     */
    public static EtcdAccess parse(String options) {
        Map<String, Path> files = new HashMap<>();
        for (String option : options.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String file = option.substring(equals + 1);
            if (equals < 0 || file.isEmpty() || !OPTIONS.contains(name) || files.put(name, path(name, file)) != null) {
                throw new IllegalArgumentException(
                        "etcd: option " + PrintableText.brief(option) + " (expected: " + FORM + ")");
            }
        }
        EtcdAccess access =
                new EtcdAccess(files.get("username-file"), files.get("ca"), files.get("cert"), files.get("key"));
        if ((access.cert == null) != (access.key == null) || access.cert != null && access.ca == null) {
            throw new IllegalArgumentException("etcd: " + PrintableText.brief(options) + " (expected: " + FORM + ")");
        }
        access.readUser();
        access.tls();
        return access;
    }

    private static Path path(String option, String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw unusable(option, file, "not a path");
        }
    }

    private static IllegalArgumentException unusable(String option, Object file, String reason) {
        return new IllegalArgumentException(
                "etcd: " + option + ' ' + PrintableText.brief(file.toString()) + ": " + PrintableText.brief(reason));
    }

    /**
     * Adds it to a connection to a member.
     *
     * @param host of the member as the operator has named it, which its certificate must contain
     * @throws IllegalArgumentException as {@link #parse}: a file may have changed
     */
    void addTo(ClientBuilder connection, String host) {
        User read = readUser();
        if (read != null) {
            connection.user(read.name()).password(read.password());
        }
        SslContext tls = tls();
        if (tls != null) {
            connection.sslContext(tls).authority(host);
        }
    }

    private User readUser() {
        if (user == null) {
            return null;
        }
        try {
            if (Files.size(user) <= MAX_FILE_BYTES) {
                List<String> lines = Files.readString(user, UTF_8).lines().toList();
                if (lines.size() == 2 && !lines.get(0).isBlank()) {
                    return new User(
                            bytes(lines.get(0).strip()), bytes(lines.get(1).strip()));
                }
            }
        } catch (IOException e) {
            throw unusable(
                    "username-file", user, "cannot be read (" + e.getClass().getSimpleName() + ')');
        }
        throw unusable(
                "username-file", user, "not two lines (expected: the name and, in the second line, the password)");
    }

    private static ByteSequence bytes(String text) {
        return ByteSequence.from(text, UTF_8);
    }

    /** Null if the connection is plain. */
    private SslContext tls() {
        if (ca == null) {
            return null;
        }
        SslContextBuilder builder = GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK);
        try {
            builder.trustManager(readable("ca", ca).toFile());
        } catch (IllegalArgumentException e) {
            throw unusable("ca", ca, reason(e));
        }
        try {
            if (cert != null) {
                builder.keyManager(
                        readable("cert", cert).toFile(), readable("key", key).toFile());
            }
            return builder.build();
        } catch (IOException | IllegalArgumentException e) {
            throw unusable("cert, key", cert + ", " + key, reason(e));
        }
    }

    private static Path readable(String option, Path file) {
        if (!Files.isReadable(file)) {
            throw unusable(option, file, "cannot be read");
        }
        return file;
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return String.valueOf(cause.getMessage());
    }
}
