package io.dubbomesh.micro;

import io.dubbomesh.consumer.auth.AuthSettings;
import io.dubbomesh.consumer.auth.CallerAuth;
import io.dubbomesh.consumer.auth.LoopAuth;
import io.dubbomesh.consumer.call.CallReader;
import io.dubbomesh.consumer.call.CallSettings;
import io.dubbomesh.consumer.call.ParsedCall;
import io.dubbomesh.consumer.call.Router;
import io.dubbomesh.consumer.http.HttpLimits;
import io.dubbomesh.consumer.http.HttpRequestParser;
import io.dubbomesh.protocol.CallException;
import io.dubbomesh.runtime.settings.Settings;
import io.dubbomesh.transport.metrics.CallMetricNames;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;

import static java.nio.charset.StandardCharsets.US_ASCII;

/** Measures the cost of knowing the caller of a request: from the request's bytes to its call. */
public class AuthBenchmark extends Microbenchmark {
    private static final int MAX_FIELDS = 32;
    private static final String TOKEN = "0123456789abcdef0123456789abcdef";

    /**
     * Callers are not authenticated, and have no token; they are not, and have a JWT; a token of a file; a JWT of some
     * 800 bytes, which was verified before, without rules and with them; a JWT whose signature is wrong, most of which
     * are refused unchecked when there are so many.
     */
    @Param({"none", "ignored", "token", "jwt", "jwt-rules", "wrong"})
    public String caller;

    private final Router router = new Router(4096, new CallMetrics(CallMetricNames.CONSUMER, 256));
    private Path directory;
    private CallerAuth auth;
    private CallReader reader;
    private ByteBuf request;
    private HttpRequestParser parser;

    @Setup
    public void setUp() throws CallException, IOException, GeneralSecurityException {
        directory = Files.createTempDirectory("auth");
        KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
        keys.initialize(2048);
        KeyPair pair = keys.generateKeyPair();
        String jwt = jwt(pair);
        String token = switch (caller) {
            case "none" -> "";
            case "token" -> TOKEN;
            case "wrong" -> jwt.substring(0, jwt.length() - 20) + "A".repeat(20);
            default -> jwt;
        };
        boolean isOff = caller.equals("none") || caller.equals("ignored");
        auth = isOff ? null : CallerAuth.open(settings(pair));
        reader = new CallReader(
                new CallSettings(MAX_FIELDS, 4096, 5_000_000_000L, 60_000),
                router,
                auth == null ? null : new LoopAuth(auth));
        parser = new HttpRequestParser(HttpLimits.DEFAULTS, PooledByteBufAllocator.DEFAULT, reader.newFields());
        String http = new String(ContestCall.http(ContestCall.LETTERS), US_ASCII);
        String field = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n";
        request = ContestCall.buffer(
                http.replaceFirst("Content-Type", field + "Content-Type").getBytes(US_ASCII));
        if (caller.equals("wrong")) {
            requireEqual(call(), false);
        } else {
            requireEqual(call(), true);
            router.keep(read().route());
            requireEqual(read().route().isKept(), true);
        }
    }

    private AuthSettings settings(KeyPair pair) throws IOException {
        String modulus =
                base64(unsigned(((RSAPublicKey) pair.getPublic()).getModulus().toByteArray()));
        Path keys = Files.writeString(
                directory.resolve("keys"),
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"one\",\"n\":\"" + modulus + "\",\"e\":\"AQAB\"}]}");
        Path tokens = Files.writeString(directory.resolve("tokens"), "ana " + TOKEN + "\n");
        Path rules = Files.writeString(directory.resolve("rules"), "allow ana " + ContestCall.SERVICE + "#hash\n");
        Map<String, String> properties = Map.of(
                "http.auth",
                caller.equals("token") ? "token" : "jwt",
                "http.auth.token-file",
                tokens.toString(),
                "http.auth.jwks",
                keys.toString(),
                "http.auth.issuer",
                "*",
                "http.auth.audience",
                "*",
                "http.auth.rules",
                caller.equals("jwt-rules") ? rules.toString() : "");
        return AuthSettings.from(Settings.of("io/dubbomesh/consumer/reference.conf", properties, Map.of()));
    }

    /** Returns the number without the byte of the sign. */
    private static byte[] unsigned(byte[] number) {
        return number[0] == 0 ? Arrays.copyOfRange(number, 1, number.length) : number;
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static String jwt(KeyPair pair) throws GeneralSecurityException {
        String claims = "{\"sub\":\"ana\",\"exp\":" + (System.currentTimeMillis() / 1000 + 36_000) + ",\"more\":\""
                + "x".repeat(280) + "\"}";
        String signed = base64("{\"alg\":\"RS256\",\"kid\":\"one\"}".getBytes(US_ASCII))
                + '.'
                + base64(claims.getBytes(US_ASCII));
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(pair.getPrivate());
        signature.update(signed.getBytes(US_ASCII));
        return signed + '.' + base64(signature.sign());
    }

    @TearDown
    public void tearDown() throws IOException {
        parser.close();
        request.release();
        if (auth != null) {
            auth.close();
        }
        for (String file : new String[] {"keys", "tokens", "rules"}) {
            Files.deleteIfExists(directory.resolve(file));
        }
        Files.delete(directory);
    }

    private ParsedCall read() throws CallException {
        HttpRequestParser.Result result = parser.parse(request.readerIndex(0));
        reader.admit(parser);
        if (result == HttpRequestParser.Result.HEAD) {
            result = parser.parse(request);
        }
        if (result != HttpRequestParser.Result.REQUEST) {
            throw new IllegalStateException(parser.detail());
        }
        return reader.read(parser);
    }

    /** Whether it is a call of a known caller. */
    @Benchmark
    public boolean call() {
        try {
            return read().route() != null;
        } catch (CallException e) {
            return false;
        }
    }
}
