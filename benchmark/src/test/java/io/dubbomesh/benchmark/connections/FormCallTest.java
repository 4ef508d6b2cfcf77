package io.dubbomesh.benchmark.connections;

import org.junit.jupiter.api.Test;

import java.util.List;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

class FormCallTest {
    @Test
    void beginsWithTheEmptyText() {
        FormCall first = FormCall.pool(1).get(0);
        assertThat(first.request().toString(US_ASCII))
                .isEqualTo("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                        + "Content-Length: 136\r\n\r\n"
                        + "interface=com.alibaba.dubbo.performance.demo.provider.IHelloService&method=hash"
                        + "&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=");
        assertThat(first.answer().toString(US_ASCII)).isEqualTo("0");
    }

    @Test
    void knowsTheAnswerToEveryOtherText() {
        List<FormCall> calls = FormCall.pool(64);
        assertThat(calls).hasSize(64);
        for (FormCall call : calls) {
            String request = call.request().toString(US_ASCII);
            String text = request.substring(request.indexOf("&parameter=") + "&parameter=".length());
            assertThat(text.length()).isLessThan(1024);
            assertThat(call.answer().toString(US_ASCII)).isEqualTo(Integer.toString(text.hashCode()));
        }
    }
}
