package io.dubbomesh.protocol.request;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.Quoted;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.type.Arguments;
import io.dubbomesh.protocol.value.JsonValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Arguments by the names of their parameters: an object, which is the only element of the array of arguments. A view of
 * the array's bytes.
 */
final class NamedArguments {
    private static final int MAX_PARAMETERS = 255;
    private static final int MAX_NAME = 64;
    private static final int MAX_NAMES = 1000;

    /** The bytes of a value, with the blanks around it. */
    private record Place(int begin, int end) {}

    private final ByteBuf in;
    private final int offset;
    private final Map<String, Place> values = new LinkedHashMap<>();
    /** The first name that comes twice; null if none does. */
    private String doubled;

    private NamedArguments(ByteBuf in, int offset) {
        this.in = in;
        this.offset = offset;
    }

    /**
     * Finds the values in an array of arguments.
     *
     * @return null if they are not one object
     * @throws CallException BAD_REQUEST if it is not JSON
     */
    static NamedArguments read(ByteBuf in, int offset, int length) throws CallException {
        try (JsonParser json = JsonValues.parser(in, offset, length)) {
            if (json.nextToken() != JsonToken.START_ARRAY || json.nextToken() != JsonToken.START_OBJECT) {
                return null;
            }
            NamedArguments named = new NamedArguments(in, offset);
            List<String> names = named.memberNames(json);
            if (json.nextToken() != JsonToken.END_ARRAY || json.nextToken() != null) {
                return null;
            }
            named.locate(names);
            return named;
        } catch (JsonProcessingException e) {
            throw Arguments.malformed(e);
        } catch (IOException e) {
            throw new IllegalStateException("no input but memory", e);
        }
    }

    private List<String> memberNames(JsonParser json) throws IOException {
        List<String> names = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            if (names.size() <= MAX_PARAMETERS) {
                names.add(json.currentName());
            }
            json.nextToken();
            json.skipChildren();
        }
        return names;
    }

    /**
     * Finds the bytes of the values, in JSON that is well-formed.
     *
     * @param names in the order of the members
     */
    private void locate(List<String> names) {
        int at = in.indexOf(offset, in.writerIndex(), (byte) '{') + 1;
        for (String name : names) {
            at = afterText(in.indexOf(at, in.writerIndex(), (byte) '"'));
            int begin = in.indexOf(at, in.writerIndex(), (byte) ':') + 1;
            at = endOfValue(begin);
            if (values.put(name, new Place(begin, at)) != null && doubled == null) {
                doubled = name;
            }
        }
    }

    /** Returns the index behind the text that begins with the quote at {@code at}. */
    private int afterText(int at) {
        do {
            at += in.getByte(at) == '\\' ? 2 : 1;
        } while (in.getByte(at) != '"');
        return at + 1;
    }

    /** Returns the index of the comma or the bracket behind a value. */
    private int endOfValue(int at) {
        int depth = 0;
        while (true) {
            byte b = in.getByte(at);
            if (depth == 0 && (b == ',' || b == '}')) {
                return at;
            }
            depth += b == '{' || b == '[' ? 1 : b == '}' || b == ']' ? -1 : 0;
            at = b == '"' ? afterText(at) : at + 1;
        }
    }

    /** Returns whether these are the arguments of a method with such parameters. */
    boolean areOf(List<String> parameters) {
        return doubled == null && parameters.size() > 1 && values.keySet().equals(Set.copyOf(parameters));
    }

    /** Returns the names that are given. */
    String names() {
        return Quoted.plain(String.join(", ", values.keySet()), MAX_NAMES);
    }

    /**
     * Returns the arguments as an array, in the order of the method's parameters, in a buffer of the heap that needs no
     * release.
     *
     * @param method whose parameters' names are known
     * @throws CallException BAD_REQUEST if not each parameter has one value; names the parameters
     */
    ByteBuf toArray(MethodDefinition method) throws CallException {
        List<String> parameters = method.facts().names();
        if (!areOf(parameters)) {
            throw refused(method);
        }
        ByteBuf array = Unpooled.buffer().writeByte('[');
        for (int i = 0; i < parameters.size(); i++) {
            Place place = values.get(parameters.get(i));
            if (i > 0) {
                array.writeByte(',');
            }
            array.writeBytes(in, place.begin, place.end - place.begin);
        }
        return array.writeByte(']');
    }

    private CallException refused(MethodDefinition method) {
        List<String> parameters = method.facts().names();
        List<String> wrong = new ArrayList<>();
        if (doubled != null) {
            wrong.add(shown(doubled) + " twice");
        }
        parameters.stream().filter(name -> !values.containsKey(name)).forEach(name -> wrong.add("no " + name));
        values.keySet().stream()
                .filter(name -> !parameters.contains(name))
                .forEach(name -> wrong.add("unknown " + shown(name)));
        return new CallException(
                Outcome.BAD_REQUEST,
                "arguments by name: " + Quoted.plain(String.join(", ", wrong), MAX_NAMES) + " (expected: "
                        + Quoted.plain(String.join(", ", parameters) + ", each once: " + method.signature(), MAX_NAMES)
                        + ')');
    }

    private static String shown(String name) {
        return Quoted.plain(name, MAX_NAME);
    }
}
