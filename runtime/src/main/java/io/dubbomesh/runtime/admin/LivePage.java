package io.dubbomesh.runtime.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The page at {@code /}, one document that shows what the admin interface tells and steers by it. Its policy allows the
 * script and the style that are written in it, requests to this server, and nothing else: what a stranger names can
 * neither run nor send anything.
 */
final class LivePage implements Page {
    static final String PATH = "/";

    private static final String RESOURCE = "page.html";
    /** A line in the page's script in whose place another file is. */
    private static final Pattern SCRIPT = Pattern.compile("(?m)^/\\* (\\w+\\.js) \\*/$");

    /** Read when it is first wanted: most agents are never looked at. */
    private static final class PageFile {
        static final byte[] BYTES = read();
        static final String POLICY = policy(new String(BYTES, UTF_8));

        private PageFile() {}
    }

    /** Returns the page with the scripts that it names in the place of their names. */
    private static byte[] read() {
        return SCRIPT.matcher(text(RESOURCE))
                .replaceAll(script -> Matcher.quoteReplacement(text(script.group(1))))
                .getBytes(UTF_8);
    }

    private static String text(String resource) {
        try (InputStream in = LivePage.class.getResourceAsStream(resource)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String policy(String page) {
        return "default-src 'none'; script-src '" + hash(page, "script") + "'; style-src '" + hash(page, "style")
                + "'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
                + " require-trusted-types-for 'script'; trusted-types 'none'";
    }

    /** Returns the hash of the content of the only element with this name. */
    private static String hash(String page, String element) {
        int begin = page.indexOf('<' + element + '>') + element.length() + 2;
        String content = page.substring(begin, page.indexOf("</" + element + '>', begin));
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(content.getBytes(UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public PageAnswer answer(PageRequest request) {
        return PageAnswer.of(200, "text/html;charset=UTF-8", PageFile.BYTES)
                .with("Content-Security-Policy", PageFile.POLICY)
                .with("X-Content-Type-Options", "nosniff")
                .with("Referrer-Policy", "no-referrer")
                .with("Cross-Origin-Opener-Policy", "same-origin");
    }
}
