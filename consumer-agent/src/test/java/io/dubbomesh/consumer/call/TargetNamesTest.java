package io.dubbomesh.consumer.call;

import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.testsupport.HttpSocket;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class TargetNamesTest {
    private final Router router = new Router(16, new CallMetrics(CallMetricNames.CONSUMER, 8));
    private final TargetNames names = new TargetNames();

    @Test
    void aPathIsPercentDecodedAndItsPlusIsAPlus() throws CallException {
        assertThat(decode("POST /com.ex%41mple.%C3%84/m+%2B%2f")).isEqualTo(name("com.exAmple.Ä", "m++/", "?"));
    }

    @Test
    void withoutItsHeaderTheTypesAreUnknownAndWithAnEmptyOneThereAreNone() throws CallException {
        assertThat(decode("POST /a.B/m")).isEqualTo(name("a.B", "m", "?"));
        assertThat(decode("POST /a.B/m", "X-Dubbo-Parameter-Types:")).isEqualTo(name("a.B", "m", ""));
        assertThat(decode("POST /a.B/m", "X-Dubbo-Parameter-Types: int, a.\303\204"))
                .isEqualTo(name("a.B", "m", "ILa/Ä;"));
    }

    @Test
    void withoutAMethodItIsTheOneThatDescribesWhateverTheTypesHeaderSays() throws CallException {
        assertThat(decode("GET /a.B?group=g", "X-Dubbo-Parameter-Types: int"))
                .isEqualTo(new MethodName("a.B", "$describe", "", "", "g"));
    }

    /** At some of them the target ends where the parser's buffer does. */
    @Test
    void aServiceMayHaveANameOfAnyLength() throws CallException {
        for (int length = 1; length <= 2100; length++) {
            String service = "a".repeat(length);
            assertThat(decode("GET /" + service)).isEqualTo(name(service, "$describe", ""));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?version=1.0&group=g|1.0|g",
                "?group=a+b%2B%26&&&%76ersion=%31|1|a b+&",
                "?version&group=||",
                "?||",
                "?&||",
                "?version=0.0.0||"
            })
    void versionAndGroupStandInTheQuery(String query, String version, String group) throws CallException {
        MethodName decoded = decode("POST /a.B/m" + query);
        assertThat(decoded.version()).isEqualTo(version == null ? "" : version);
        assertThat(decoded.group()).isEqualTo(group == null ? "" : group);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "?types=long|types",
                "?version=1&Group=2|Group",
                "?version2=3|version2",
                "?x|x",
                "?=1|''",
                "?group=g&%41=version|%41"
            })
    void anUnknownFieldOfTheQueryIsNamed(String query, String field) {
        String message = "query: unknown field \"" + field
                + "\" (expected: version or group; the types of parameters are in X-Dubbo-Parameter-Types)";
        assertRefused(message, "POST /a.B/m" + query);
        assertRefused(message, "GET /a.B" + query);
    }

    @Test
    void versionAndGroupStandInHeaderFieldsAsTheyAre() throws CallException {
        assertThat(decode("POST /a.B/m", "X-Dubbo-Version: 1+%41", "x-dubbo-group: \303\204 b"))
                .isEqualTo(new MethodName("a.B", "m", "?", "1+%41", "Ä b"));
        assertThat(decode("POST /a.B/m", "X-Dubbo-Version: 0.0.0")).isEqualTo(name("a.B", "m", "?"));
    }

    @Test
    void queryAndHeaderMaySayTheSame() throws CallException {
        assertThat(decode("POST /a.B/m?version=1%2E0&group=", "X-Dubbo-Version: 1.0", "X-Dubbo-Group:"))
                .isEqualTo(new MethodName("a.B", "m", "?", "1.0", ""));
        assertThat(decode("POST /a.B/m?version=0.0.0", "X-Dubbo-Version:").version())
                .as("two ways to say none")
                .isEmpty();
    }

    @Test
    void queryAndHeaderMustNotDiffer() {
        assertRefused(
                "version: \"1\" in the query (expected: \"2\", as in X-Dubbo-Version)",
                "POST /a.B/m?version=1",
                "X-Dubbo-Version: 2");
        assertRefused(
                "group: \"\" in the query (expected: \"g\", as in X-Dubbo-Group)",
                "GET /a.B?group=",
                "X-Dubbo-Group: g");
    }

    @Test
    void whatIsMisspeltIsNamed() {
        assertRefused("path: interface: not UTF-8", "POST /%C3/m");
        assertRefused("path: method: not UTF-8", "POST /a/%ff");
        assertRefused("query: version: not UTF-8", "POST /a/m?version=%e4");
        assertRefused("query: version is given twice", "POST /a/m?version=1&version=1");
        assertRefused("query: group is given twice", "GET /a?group&group=1");
        assertRefused("X-Dubbo-Version: not UTF-8", "POST /a/m", "X-Dubbo-Version: \344");
        assertRefused("X-Dubbo-Group: a control character", "POST /a/m", "X-Dubbo-Group: a\tb");
        assertRefused("X-Dubbo-Parameter-Types: not UTF-8", "POST /a/m", "X-Dubbo-Parameter-Types: \344");
    }

    @Test
    void aKnownMethodIsFoundByItsRawBytesOrByItsName() throws CallException {
        Route route = find("POST /a.B/m?version=1", "X-Dubbo-Parameter-Types: int");
        router.keep(route);

        assertThat(find("POST /a.B/m?version=1", "X-Dubbo-Parameter-Types: int"))
                .isSameAs(route);
        assertThat(find("POST /a.B/m", "X-Dubbo-Version: 1", "X-Dubbo-Parameter-Types: I"))
                .isSameAs(route);
        assertThat(find("POST /a.%42/m?&version=1", "X-Dubbo-Parameter-Types: int"))
                .isSameAs(route);
    }

    @Test
    void methodsAreDistinguishedByEachPartOfTheirNames() throws CallException {
        Route route = find("POST /a/b", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: v", "X-Dubbo-Group: g");
        router.keep(route);

        String[][] others = {
            {"POST /a/c", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
            {"POST /b/a", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
            {"POST /a/b", "X-Dubbo-Parameter-Types: long", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
            {"POST /a/b", "X-Dubbo-Parameter-Types:", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
            {"POST /a/b", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
            {"POST /a/b", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: g", "X-Dubbo-Group: v"},
            {"POST /a/b", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Group: g"},
            {"POST /a/b?group=v", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: g"},
            {"GET /a", "X-Dubbo-Parameter-Types: int", "X-Dubbo-Version: v", "X-Dubbo-Group: g"},
        };
        for (String[] other : others) {
            assertThat(find(other[0], Arrays.copyOfRange(other, 1, other.length)))
                    .as(String.join(" ", other))
                    .isNotSameAs(route);
        }
    }

    @Test
    void aFormFindsTheMethodByItsNameAndHasNoUnknownTypes() throws CallException {
        Route none = find("POST /a.B/n", "X-Dubbo-Parameter-Types:");
        router.keep(none);
        Route unknown = find("POST /a.B/m");
        router.keep(unknown);

        assertThat(router.find(form("interface=a.B&method=n&parameterTypesString=")))
                .isSameAs(none);
        assertThat(router.find(form("interface=a.B&method=m&parameterTypesString="))
                        .isKept())
                .isFalse();
        assertThat(router.find(form("interface=a.B&method=m&parameterTypesString=?"))
                        .parameterCount())
                .isEqualTo(Descriptors.MALFORMED);
    }

    @Test
    void theRawBytesOfAFormAreNeverThoseOfATarget() throws CallException {
        names(request("POST /a.B/m", "X-Dubbo-Parameter-Types: x", "X-Dubbo-Version: y", "X-Dubbo-Group: z"));
        FormNames form = form("interface=a.B&method=m&parameterTypesString=:x&version=:y&group=:z");

        assertThat(form.areEqual(form.rawKey())).isTrue();
        assertThat(names.areEqual(names.rawKey())).isTrue();
        assertThat(form.areEqual(names.rawKey())).isFalse();
        assertThat(names.areEqual(form.rawKey())).isFalse();
    }

    @Test
    void knownRawBytesAreFoundWithoutDecoding() throws CallException {
        Route route = find("POST /a.B/m", "X-Dubbo-Parameter-Types: int");
        router.keep(route);
        names(request("POST /a.B/m", "X-Dubbo-Parameter-Types: int"));
        SpelledNames undecodable = new SpelledNames(6) {
            @Override
            MethodName decode() {
                throw new AssertionError("decoded");
            }
        };
        System.arraycopy(names.offsets, 0, undecodable.offsets, 0, 6);
        System.arraycopy(names.lengths, 0, undecodable.lengths, 0, 6);
        undecodable.in = names.in;

        assertThat(router.find(undecodable)).isSameAs(route);
    }

    private static FormNames form(String body) throws CallException {
        FormCall form = new FormCall(32);
        form.parse(Unpooled.copiedBuffer(body, ISO_8859_1), 0, body.length());
        return form.names();
    }

    private void assertRefused(String detail, String line, String... headers) {
        assertThatThrownBy(() -> decode(line, headers))
                .as(line)
                .isInstanceOf(CallException.class)
                .hasMessage(detail);
    }

    private MethodName decode(String line, String... headers) throws CallException {
        names(request(line, headers));
        return names.decode();
    }

    private Route find(String line, String... headers) throws CallException {
        names(request(line, headers));
        return router.find(names);
    }

    private void names(HttpRequestParser request) {
        CallTarget target = new CallTarget();
        target.locate(request.target());
        names.gather(request.target(), target, CallHeaders.of(request), target.kind() == CallTarget.Kind.METHOD);
    }

    private static HttpRequestParser request(String line, String... headers) {
        ByteBuf in = Unpooled.copiedBuffer(HttpSocket.request(line, "", headers), ISO_8859_1);
        HttpRequestParser parser = RequestFeed.newParser(PooledByteBufAllocator.DEFAULT);
        assertThat(parser.parse(in)).as(line).isEqualTo(HttpRequestParser.Result.REQUEST);
        assertThat(CallHeaders.of(parser).rejection()).isNull();
        return parser;
    }

    private static MethodName name(String service, String method, String descriptor) {
        return new MethodName(service, method, descriptor, "", "");
    }
}
