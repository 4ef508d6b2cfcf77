package io.dubbomesh.consumer.http;

import io.dubbomesh.consumer.auth.AuthSettings;
import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.auth.LoopAuth;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class AllowedOriginsTest {
    private static final String ALLOWED = "Access-Control-Allow-Headers: ";

    private static List<String> fieldsOfCalls(CallerAuth auth) {
        Router router = new Router(1, new CallMetrics(CallMetricNames.CONSUMER, 1));
        HeaderTable table = new HeaderTable();
        new CallReader(new CallSettings(1, 1, 1, 1), router, new LoopAuth(auth))
                .newFields()
                .register(table);
        return table.names();
    }

    private static List<String> fieldsOfPreflight() {
        AllowedOrigins.Origin any = AllowedOrigins.parse("*").find(Unpooled.EMPTY_BUFFER, 0, 0);
        String line = new String(any.preflight(), US_ASCII)
                .lines()
                .filter(field -> field.startsWith(ALLOWED))
                .findFirst()
                .orElseThrow();
        return List.of(line.substring(ALLOWED.length()).split(", "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://app.example:443", "http://a.example, http://app.example:80"})
    void anOriginWithItsDefaultPortIsRefusedSinceNoBrowserSendsIt(String list) {
        assertThatThrownBy(() -> AllowedOrigins.parse(list))
                .hasMessage(list + " (expected: no :443 behind https and no :80 behind http, as browsers send none)");
        assertThat(AllowedOrigins.parse("https://app.example:80, http://app.example:443, http://app.example:8080"))
                .isNotNull();
    }

    @Test
    void aPageMaySendEachHeaderFieldThatSaysHowACallIsMade(@TempDir Path directory) throws Exception {
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana a-token-of-sixteen\n");
        AuthSettings settings = new AuthSettings(EnumSet.of(AuthSettings.Kind.TOKEN), tokens, null, null);
        try (CallerAuth auth = CallerAuth.open(settings)) {
            List<String> taken = fieldsOfCalls(auth);

            assertThat(taken).contains("authorization", "x-request-timeout", "traceparent");
            assertThat(fieldsOfPreflight())
                    .containsAll(taken)
                    .as("stands for attachments, whose names are the client's")
                    .contains("*");
        }
    }
}
