package io.dubbomesh.transport.tls;

import io.dubbomesh.runtime.FileFailure;
import io.dubbomesh.runtime.settings.SettingsException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A file in PEM (RFC 7468) as it was read at one time.
 *
 * @param setting that names the file, for messages
 */
record PemFile(String setting, Path path, String text) {
    private static final long MAX_LENGTH = 1 << 20;
    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";

    /** @throws SettingsException if it cannot be read; names setting, path and reason */
    static PemFile read(String setting, Path path) {
        PemFile unread = new PemFile(setting, path, "");
        try {
            if (Files.size(path) > MAX_LENGTH) {
                throw unread.wrong("larger than 1 MiB");
            }
            if (!Files.isRegularFile(path)) {
                throw unread.wrong("not a file");
            }
            return new PemFile(setting, path, new String(Files.readAllBytes(path), StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw unread.wrong(FileFailure.reason(e));
        }
    }

    /**
     * Returns the blocks between the lines {@code BEGIN label} and {@code END label}, decoded; at least one of them.
     *
     * @throws SettingsException if there is none, or one is malformed
     */
    List<byte[]> blocks(String label) {
        String begin = BEGIN + label + DASHES;
        String end = END + label + DASHES;
        List<byte[]> blocks = new ArrayList<>();
        for (int at = text.indexOf(begin); at >= 0; at = text.indexOf(begin, at)) {
            int from = at + begin.length();
            at = text.indexOf(end, from);
            if (at < 0) {
                throw wrong("\"" + begin + "\" without \"" + end + '"');
            }
            try {
                blocks.add(Base64.getMimeDecoder().decode(text.substring(from, at)));
            } catch (IllegalArgumentException e) {
                throw wrong(label + ": " + e.getMessage());
            }
        }
        if (blocks.isEmpty()) {
            throw wrong("expected: \"" + begin + '"' + otherwise());
        }
        return blocks;
    }

    private String otherwise() {
        int at = text.indexOf(BEGIN);
        int end = at < 0 ? -1 : text.indexOf('\n', at);
        return end < 0 ? "" : ", found: \"" + text.substring(at, end).strip() + '"';
    }

    SettingsException wrong(String problem) {
        return new SettingsException(setting + ": " + path + " (" + problem + ')');
    }
}
