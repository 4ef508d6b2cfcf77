import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/**
 * Calls the demo's shop through a consumer agent. usage: java Shop.java [http://127.0.0.1:20000]
 *
 * <p>Java has no JSON of its own: this program writes it by hand and prints what it gets. Use the library of your
 * application.
 */
public final class Shop {
    private static final Duration DEADLINE = Duration.ofSeconds(2);
    private static final int ATTEMPTS = 3;

    /** A call that was answered with a problem document (RFC 9457). */
    static final class CallFailed extends IOException {
        private static final long serialVersionUID = 1L;

        CallFailed(String problem) {
            super(problem);
        }
    }

    /** Speaks HTTP/1.1, as agents do. Threads may share it. */
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI mesh;

    private Shop(URI mesh) {
        this.mesh = mesh;
    }

    /** @param target interface/method, with ?version=...&group=... if the service has them */
    private String call(String target, String arguments) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(mesh.resolve("/" + target))
                .header("Content-Type", "application/json")
                .header("X-Request-Timeout", Long.toString(DEADLINE.toMillis()))
                // The agent answers at the deadline, at the latest: this is for an agent that is gone.
                .timeout(DEADLINE.plusSeconds(1))
                .POST(HttpRequest.BodyPublishers.ofString(arguments))
                .build();
        for (int attempt = 1; ; attempt++) {
            HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
            // 503 alone says that the service did not execute the call and may do so later.
            if (answer.statusCode() == 503 && attempt < ATTEMPTS) {
                Thread.sleep(1000 * answer.headers().firstValueAsLong("Retry-After").orElse(1));
            } else if (answer.statusCode() == 200) {
                return answer.body();
            } else {
                throw new CallFailed(answer.body());
            }
        }
    }

    private static String order(int quantity) {
        return """
                [{"item":"tea","quantity":%d,"price":3.50,"delivery":"POST","day":"2026-12-30"}]""".formatted(quantity);
    }

    public static void main(String[] args) throws Exception {
        Shop shop = new Shop(URI.create(args.length > 0 ? args[0] : "http://127.0.0.1:20000"));
        String service = "io.dubbomesh.demo.shop.Shop";

        System.out.println(shop.call(service + "/buy", order(2)));

        System.out.println(shop.call(service + "/greet?version=2.0.0&group=blue", "[\"Ana\"]"));

        try {
            shop.call(service + "/buy", order(20));
        } catch (CallFailed failure) {
            System.out.println(failure.getMessage());
        }
    }
}
