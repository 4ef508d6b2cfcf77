package io.dubbomesh.protocol.definition;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

/** The texts are answers of providers, split into lines. */
class TelnetListingTest {
    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n" + TelnetListing.PROMPT;
    }

    @Test
    void dubbo26ListsMethods() {
        ServiceDefinition service = TelnetListing.parse(lines(
                "int add(int,int)",
                "long add(long,long)",
                "java.lang.Comparable max(java.util.List)",
                "java.lang.String join(java.lang.String[])",
                "java.util.List find(java.util.Map,com.example.Color)",
                "int[][] matrix(int[],com.example.Order$Line[])",
                "void nothing()"));

        assertThat(service.types()).isEmpty();
        assertThat(service.methods())
                .containsExactly(
                        new MethodDefinition("add", List.of("int", "int"), "int"),
                        new MethodDefinition("add", List.of("long", "long"), "long"),
                        new MethodDefinition("max", List.of("java.util.List"), "java.lang.Comparable"),
                        new MethodDefinition("join", List.of("java.lang.String[]"), "java.lang.String"),
                        new MethodDefinition("find", List.of("java.util.Map", "com.example.Color"), "java.util.List"),
                        new MethodDefinition("matrix", List.of("int[]", "com.example.Order$Line[]"), "int[][]"),
                        new MethodDefinition("nothing", List.of(), "void"));
    }

    @Test
    void dubbo27ListsMethodsBelowTheService() {
        ServiceDefinition service = TelnetListing.parse(
                lines("g/com.example.Greeter:1.0 (as provider):", "\tjava.lang.String greet(java.lang.String)", ""));

        assertThat(service.methods())
                .containsExactly(new MethodDefinition("greet", List.of("java.lang.String"), "java.lang.String"));
    }

    @Test
    void anInterfaceOfManyVersionsIsReadOnce() {
        ServiceDefinition service = TelnetListing.parse(lines(
                "com.example.Greeter:1.0 (as provider):",
                "\tvoid a()",
                "com.example.Greeter:2.0 (as provider):",
                "\tvoid a()",
                "com.example.Greeter:1.0 (as consumer):",
                "\tvoid a()",
                ""));

        assertThat(service.methods()).containsExactly(new MethodDefinition("a", List.of(), "void"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "dubbo>",
                "No such service com.example.Nope\r\ndubbo>",
                "No such service: com.example.Nope\r\ndubbo>",
                "Unsupported command: ls\r\ndubbo>",
                "Command: ls disabled for security reasons, please enable support by listing the commands through 'telnet'\r\ndubbo>",
                "com.example.Greeter:1.0 (as consumer):\r\n\tvoid a()\r\n\r\ndubbo>",
                "void a()\r\nHTTP/1.1 400 Bad Request\r\n\r\n",
                "void a(int,)\r\ndubbo>",
                "void a(java..lang)\r\ndubbo>",
                "int[ a()\r\ndubbo>",
                "\u0000\u0001 \ufffd(\ufffd)\r\ndubbo>"
            })
    void anAnswerThatIsNotAListIsIgnored(String answer) {
        assertThat(TelnetListing.parse(answer)).isNull();
    }
}
