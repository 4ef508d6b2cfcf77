package io.dubbomesh.consumer.mcp.tool;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigUtil;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Refuses a HOCON text that gives a key twice, but for what is added to a list. The library would merge two objects of
 * one name, and keep the last of two other values, so that a tool could publish more than the place says that a reader
 * has found. Goes over the text once; the text was parsed before, and so is well-formed.
 */
final class DoubledKeys {
    private static final String TRIPLE = "\"\"\"";

    private final String text;
    /** The lines of the keys, by their paths from the root on. */
    private final Map<List<String>, Integer> lines = new HashMap<>();

    private int at;
    private int line = 1;

    private DoubledKeys(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException for the first key that is given twice, with the numbers of both lines */
    static void refuse(String text) {
        DoubledKeys keys = new DoubledKeys(text);
        keys.skip(true);
        if (keys.isNext("{")) {
            keys.move(1);
        }
        keys.members(List.of());
    }

    /** Goes over the members of an object, and the brace behind them. */
    private void members(List<String> path) {
        while (true) {
            skip(true);
            if (at == text.length()) {
                return;
            }
            if (isNext("}")) {
                move(1);
                return;
            }
            member(path);
        }
    }

    private void member(List<String> path) {
        int keyLine = line;
        int begin = at;
        while (at < text.length() && "{=:".indexOf(text.charAt(at)) < 0 && !isNext("+=")) {
            moveOverPart();
        }
        List<String> key = new ArrayList<>(path);
        key.addAll(names(text.substring(begin, at).strip()));
        if (isNext("+=")) {
            // Adds to a list, which a value that comes later would replace.
            lines.putIfAbsent(List.copyOf(key), keyLine);
            move(2);
        } else {
            add(key, keyLine);
            move(at == text.length() || isNext("{") ? 0 : 1);
        }
        skip(false);
        value(key);
    }

    private void add(List<String> key, int keyLine) {
        Integer earlier = lines.put(List.copyOf(key), keyLine);
        if (earlier != null) {
            throw new IllegalArgumentException(keyLine + ": " + ConfigUtil.joinPath(key)
                    + " is given a second time (expected: once; the first one is in line " + earlier + ')');
        }
    }

    private static List<String> names(String key) {
        try {
            return ConfigUtil.splitPath(key);
        } catch (ConfigException e) {
            // A comment between the key and its separator, for example.
            return List.of(key);
        }
    }

    /** Goes over a value, of several parts maybe, up to what ends it. */
    private void value(List<String> path) {
        while (at < text.length() && ",}]\n".indexOf(text.charAt(at)) < 0 && !isComment()) {
            if (isNext("{")) {
                move(1);
                members(path);
            } else if (isNext("[")) {
                move(1);
                elements(path);
            } else {
                moveOverPart();
            }
        }
    }

    private void elements(List<String> path) {
        for (int i = 0; ; i++) {
            skip(true);
            if (at == text.length()) {
                return;
            }
            if (isNext("]")) {
                move(1);
                return;
            }
            List<String> element = new ArrayList<>(path);
            element.add(Integer.toString(i));
            value(element);
        }
    }

    /** Goes over what stands between values: blanks, line ends and comments, with commas or without. */
    private void skip(boolean withCommas) {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (isComment()) {
                int end = text.indexOf('\n', at);
                move((end < 0 ? text.length() : end) - at);
            } else if (Character.isWhitespace(c) || c == '\u00a0' || c == '\ufeff' || withCommas && c == ',') {
                move(1);
            } else {
                return;
            }
        }
    }

    private boolean isComment() {
        return isNext("#") || isNext("//");
    }

    /** Goes over a quoted text, a substitution or one character. */
    private void moveOverPart() {
        if (isNext(TRIPLE)) {
            int end = text.indexOf(TRIPLE, at + TRIPLE.length());
            move((end < 0 ? text.length() : end + TRIPLE.length()) - at);
            // More quotes behind are of the text.
            while (isNext("\"")) {
                move(1);
            }
        } else if (isNext("\"")) {
            int end = at + 1;
            while (end < text.length() && text.charAt(end) != '"') {
                end += text.charAt(end) == '\\' ? 2 : 1;
            }
            move(Math.min(end + 1, text.length()) - at);
        } else if (isNext("${")) {
            int end = text.indexOf('}', at);
            move((end < 0 ? text.length() : end + 1) - at);
        } else {
            move(1);
        }
    }

    private boolean isNext(String token) {
        return text.startsWith(token, at);
    }

    private void move(int characters) {
        for (int i = 0; i < characters; i++) {
            if (text.charAt(at++) == '\n') {
                line++;
            }
        }
    }
}
