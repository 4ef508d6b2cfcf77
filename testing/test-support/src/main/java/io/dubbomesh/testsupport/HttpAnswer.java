package io.dubbomesh.testsupport;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An answer as it was read.
 *
 * @param headers by their names in lower case
 */
public record HttpAnswer(int status, String reason, Map<String, String> headers, byte[] body) {

    public String header(String name) {
        return headers.get(name);
    }

    public String text() {
        return new String(body, UTF_8);
    }

    public boolean hasConnectionClose() {
        return "close".equalsIgnoreCase(header("connection"));
    }

    public HttpAnswer assertHash(String text) {
        assertThat(status).as("the status of: %s", this).isEqualTo(200);
        assertThat(header("content-type")).isEqualTo("text/plain;charset=UTF-8");
        assertThat(text()).isEqualTo(Integer.toString(text.hashCode()));
        return this;
    }

    /** Asserts a whole problem document and returns its members. */
    public Map<String, String> assertProblem(int expectedStatus, String code) throws IOException {
        assertThat(status).as("the status of: %s", this).isEqualTo(expectedStatus);
        assertThat(header("content-type")).isEqualTo("application/problem+json");
        Map<String, String> members = new LinkedHashMap<>();
        try (JsonParser json = new JsonFactory().createParser(body)) {
            assertThat(json.nextToken()).isEqualTo(JsonToken.START_OBJECT);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                json.nextToken();
                String value = json.currentToken().isScalarValue() ? json.getText() : "";
                json.skipChildren();
                assertThat(members.put(name, value)).as(name).isNull();
            }
            assertThat(json.nextToken()).isNull();
        }
        assertThat(members)
                .containsEntry("status", Integer.toString(expectedStatus))
                .containsEntry("title", reason)
                .containsEntry("code", code)
                .hasEntrySatisfying("type", type -> assertThat(type).endsWith("#" + code.toLowerCase(Locale.ROOT)))
                .hasEntrySatisfying("instance", id -> assertThat(id).matches("urn:uuid:[0-9a-f-]{36}"));
        assertThat(members.get("detail")).isNotEmpty();
        assertThat(header("retry-after")).isEqualTo(expectedStatus == 503 ? "1" : null);
        assertThat(header("allow"))
                .isIn(
                        expectedStatus == 405
                                ? List.of("POST", "GET, HEAD", "GET, HEAD, POST")
                                : Collections.singletonList(null));
        return members;
    }

    @Override
    public String toString() {
        return status + " " + reason + " " + headers + " " + text();
    }
}
