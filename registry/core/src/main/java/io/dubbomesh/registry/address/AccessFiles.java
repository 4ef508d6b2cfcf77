package io.dubbomesh.registry.address;

import io.dubbomesh.runtime.FileFailure;
import io.dubbomesh.runtime.PrintableText;
import io.dubbomesh.runtime.settings.SecretFile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The files by which an agent proves to a registry who it is, and the registry to the agent. All are optional.
 *
 * @param registry its kind, for messages
 * @param user     the name of a user and, in the second line, the password
 * @param ca       PEM: the authorities that may have signed the registry's certificate. With it the connection uses TLS
 * @param cert     PEM: the agent's certificate and those that lead to the authority of agents
 * @param key      of the certificate, PEM in PKCS#8
 */
public record AccessFiles(String registry, Path user, Path ca, Path cert, Path key) {
    private static final String FORM =
            "username-file=FILE, ca=FILE, and with ca both or none of cert=FILE and key=FILE";
    private static final Set<String> OPTIONS = Set.of("username-file", "ca", "cert", "key");
    private static final Set<String> SECRETS = Set.of("username-file", "key");
    private static final int MAX_FILE_BYTES = 8 * 1024;

    /** A user of a registry. */
    public record User(String name, String password) {
        @Override
        public String toString() {
            return "User";
        }
    }

    /** An option, or the file that it names, cannot be used. */
    public static final class Unusable extends IllegalArgumentException {
        private static final long serialVersionUID = 1;

        private Unusable(String message) {
            super(message);
        }
    }

    /** Returns the files of a registry that asks for none. */
    public static AccessFiles none(String registry) {
        return new AccessFiles(registry, null, null, null, null);
    }

    /**
     * Reads {@code username-file=/file&ca=/file&cert=/file&key=/file}, any of them.
     *
     * @throws Unusable naming the option and what is wrong with it or its file
     */
    public static AccessFiles parse(String registry, String options) {
        Map<String, Path> files = new HashMap<>();
        for (String option : options.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String file = option.substring(equals + 1);
            if (equals < 0
                    || file.isEmpty()
                    || !OPTIONS.contains(name)
                    || files.put(name, path(registry, name, file)) != null) {
                // Never with its value, which may be a password where a file was expected; what has no name may be one
                // too, and what stands before an @ may be the end of one.
                boolean isName = OPTIONS.contains(name) || equals >= 0 && options.indexOf('@') < 0;
                String shown = isName ? PrintableText.brief(name) : "...";
                throw new Unusable(registry + ": option " + shown + " (expected: " + FORM + ")");
            }
        }
        AccessFiles access = new AccessFiles(
                registry, files.get("username-file"), files.get("ca"), files.get("cert"), files.get("key"));
        if ((access.cert == null) != (access.key == null) || access.cert != null && access.ca == null) {
            throw new Unusable(registry + ": "
                    + String.join(", ", files.keySet().stream().sorted().toList()) + " (expected: " + FORM + ")");
        }
        access.checkReadable();
        return access;
    }

    /** Names all files that cannot be used, as far as can be seen without knowing what the registry makes of them. */
    private void checkReadable() {
        List<String> problems = new ArrayList<>();
        collect(problems, this::readUser);
        collect(problems, () -> readable("ca", ca));
        collect(problems, () -> readable("cert", cert));
        collect(problems, () -> readable("key", key));
        if (!problems.isEmpty()) {
            throw new Unusable(String.join("; ", problems));
        }
    }

    private static void collect(List<String> problems, Runnable check) {
        try {
            check.run();
        } catch (Unusable e) {
            problems.add(e.getMessage());
        }
    }

    /**
     * Logs a warning of each file with a secret that every user can read.
     *
     * @param options of a registry, which were {@linkplain #parse parsed} before
     */
    public static void warnOfPublic(String registry, String options) {
        for (String option : options.split("&", -1)) {
            int equals = option.indexOf('=');
            String name = option.substring(0, Math.max(0, equals));
            if (SECRETS.contains(name)) {
                new SecretFile(registry + ": " + name, Path.of(option.substring(equals + 1))).warnIfPublic(true);
            }
        }
    }

    private static Path path(String registry, String option, String file) {
        try {
            return Path.of(file);
        } catch (InvalidPathException e) {
            throw unusable(registry, option, file, "not a path");
        }
    }

    /** Returns the exception for a file. */
    public Unusable unusable(String option, Object file, String reason) {
        return unusable(registry, option, file, reason);
    }

    private static Unusable unusable(String registry, String option, Object file, String reason) {
        return new Unusable(registry + ": " + option + ' ' + PrintableText.brief(file.toString()) + ": "
                + PrintableText.brief(reason));
    }

    /**
     * Reads the user; null if there is no file of one.
     *
     * @throws Unusable if the file is not one of a user
     */
    public User readUser() {
        if (user == null) {
            return null;
        }
        try {
            if (!Files.exists(user) || Files.isRegularFile(user) && Files.size(user) <= MAX_FILE_BYTES) {
                List<String> lines = Files.readString(user, UTF_8).lines().toList();
                if (lines.size() == 2
                        && !lines.get(0).isBlank()
                        && !lines.get(1).isBlank()) {
                    return new User(lines.get(0).strip(), lines.get(1).strip());
                }
            }
        } catch (IOException e) {
            throw unusable("username-file", user, "cannot be read (" + FileFailure.reason(e) + ')');
        }
        throw unusable(
                "username-file", user, "not two lines (expected: the name and, in the second line, the password)");
    }

    /**
     * Returns the file, which may be null for none.
     *
     * @throws Unusable if it cannot be read
     */
    public Path readable(String option, Path file) {
        if (file != null && !Files.isReadable(file)) {
            throw unusable(option, file, "cannot be read");
        }
        return file;
    }
}
