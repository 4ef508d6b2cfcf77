package io.dubbomesh.consumer;

import io.dubbomesh.testsupport.HttpSocket;

import java.util.Arrays;

/** Requests that most tests use. */
final class Requests {
    private Requests() {}

    /** A form request for {@code a.B.m(String)}. */
    static String form(String parameter, String... headers) {
        return HttpSocket.request(
                "POST /",
                "interface=a.B&method=m&parameterTypesString=Ljava%2Flang%2FString%3B&parameter=" + parameter,
                with("Content-Type: application/x-www-form-urlencoded", headers));
    }

    /** A call in JSON. */
    static String json(String target, String body, String... headers) {
        return HttpSocket.request("POST " + target, body, with("Content-Type: application/json", headers));
    }

    private static String[] with(String header, String... headers) {
        String[] all = Arrays.copyOf(headers, headers.length + 1);
        all[headers.length] = header;
        return all;
    }
}
