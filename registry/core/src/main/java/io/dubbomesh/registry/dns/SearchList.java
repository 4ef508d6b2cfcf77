package io.dubbomesh.registry.dns;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The domains that the system's resolver tries behind a name, as {@code resolv.conf} lists them: in Kubernetes
 * {@code greeter.shop} means {@code greeter.shop.svc.cluster.local}. Netty's resolver knows them for addresses only.
 *
 * @param dots a name with so many is tried as it is first, a name with fewer last
 */
record SearchList(List<String> domains, int dots) {
    static final SearchList NONE = new SearchList(List.of(), 1);

    private static final Logger LOG = LoggerFactory.getLogger(SearchList.class);
    private static final Path RESOLV_CONF = Path.of("/etc/resolv.conf");
    private static final String DOTS_OPTION = "ndots:";
    private static final int MAX_DOTS = 15;

    /** Returns that of this system; it may change while the agent runs. */
    static SearchList ofSystem() {
        try {
            return Files.exists(RESOLV_CONF) ? parse(Files.readString(RESOLV_CONF, UTF_8)) : NONE;
        } catch (IOException e) {
            LOG.debug("{} cannot be read", RESOLV_CONF, e);
            return NONE;
        }
    }

    static SearchList parse(String resolvConf) {
        List<String> domains = List.of();
        int dots = 1;
        for (String line : resolvConf.lines().toList()) {
            String[] words = line.strip().split("\\s+");
            switch (words[0]) {
                case "search", "domain" -> domains = List.of(words).subList(1, words.length);
                case "options" -> {
                    for (String word : words) {
                        dots = word.startsWith(DOTS_OPTION) ? dots(word.substring(DOTS_OPTION.length()), dots) : dots;
                    }
                }
                default -> {}
            }
        }
        return new SearchList(domains, dots);
    }

    private static int dots(String text, int otherwise) {
        return text.matches("[0-9]{1,4}") ? Math.min(MAX_DOTS, Integer.parseInt(text)) : otherwise;
    }

    /**
     * Returns the names that the name may mean, in the order in which they are to be asked for, each with a dot at its
     * end.
     */
    List<String> candidates(String name) {
        if (name.endsWith(".")) {
            return List.of(name);
        }
        List<String> candidates = new ArrayList<>();
        for (String domain : domains) {
            candidates.add(domain.equals(".") ? name + '.' : name + '.' + domain.replaceFirst("\\.$", "") + '.');
        }
        boolean first = name.chars().filter(c -> c == '.').count() >= dots;
        candidates.add(first ? 0 : candidates.size(), name + '.');
        return candidates.stream().distinct().toList();
    }
}
