package io.dubbomesh.meshctl.command;

import io.dubbomesh.meshctl.agent.MeshctlException;
import io.dubbomesh.runtime.FileFailure;
import io.dubbomesh.runtime.json.Json;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Arguments of a call as they are typed: {@code @FILE} is the content of a file, {@code -} that of standard input,
 * {@code @@TEXT} the text {@code @TEXT}.
 */
public final class ArgumentSources {
    private static final String STANDARD_INPUT = "-";

    private ArgumentSources() {}

    /** Returns the texts; the line break at the end of a file is not part of its text. */
    public static List<String> read(List<String> typed, InputStream standardInput) {
        if (typed.stream().filter(STANDARD_INPUT::equals).count() > 1) {
            throw new MeshctlException("-: standard input is one argument (expected: - once)");
        }
        List<String> texts = new ArrayList<>();
        for (String argument : typed) {
            if (argument.equals(STANDARD_INPUT)) {
                texts.add(content("standard input", standardInput::readAllBytes));
            } else if (argument.startsWith("@@")) {
                texts.add(argument.substring(1));
            } else if (argument.startsWith("@")) {
                Path file = Path.of(argument.substring(1));
                texts.add(content(argument, () -> Files.readAllBytes(file)));
            } else {
                texts.add(argument);
            }
        }
        return texts;
    }

    /** Returns the value of an argument in JSON, or the text itself where it is none. */
    public static Object jsonOrText(String argument) {
        try {
            return Json.read(argument);
        } catch (IllegalArgumentException e) {
            return argument;
        }
    }

    private interface Source {
        byte[] read() throws IOException;
    }

    private static String content(String name, Source source) {
        try {
            String text =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(source.read())).toString();
            return text.replaceFirst("\r?\n\\z", "");
        } catch (CharacterCodingException e) {
            throw new MeshctlException(name + ": not text in UTF-8");
        } catch (IOException e) {
            throw new MeshctlException(name + ": " + FileFailure.reason(e)
                    + (name.startsWith("@") ? " (expected: @FILE, or @@TEXT for text that begins with @)" : ""));
        }
    }
}
