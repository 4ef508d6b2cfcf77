package io.dubbomesh.testsupport.etcd;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Changes an etcd as an operator does by hand, by its JSON gateway, at the first node that answers. All methods throw
 * an {@link UncheckedIOException} where none does.
 */
public abstract class EtcdGateway {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** The most operations that etcd takes in one transaction. */
    private static final int MAX_OPERATIONS = 128;

    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    /** A key's value, the lease it hangs on (0: none), and how often and when it was put. */
    public record KeyValue(String value, long lease, long version, long modRevision) {}

    /** Returns the base URLs of the nodes that run. */
    protected abstract List<String> urls();

    /** Puts without a lease, like {@code etcdctl put}. */
    public void put(String key, String value) {
        put(key, value.getBytes(UTF_8));
    }

    public void put(String key, byte[] value) {
        post("kv/put", object("key", base64(key), "value", Base64.getEncoder().encodeToString(value)));
    }

    /** Puts the same value under each of the keys, many in one transaction. */
    public void putAll(List<String> keys, String value) {
        for (int from = 0; from < keys.size(); from += MAX_OPERATIONS) {
            List<String> some = keys.subList(from, Math.min(from + MAX_OPERATIONS, keys.size()));
            post(
                    "kv/txn",
                    some.stream()
                            .map(key -> "{\"requestPut\":" + object("key", base64(key), "value", base64(value)) + "}")
                            .collect(Collectors.joining(",", "{\"success\":[", "]}")));
        }
    }

    public void delete(String key) {
        post("kv/deleterange", object("key", base64(key)));
    }

    /** Deletes all keys with this prefix, like {@code etcdctl del --prefix}. */
    public void deleteAll(String prefix) {
        post("kv/deleterange", range(prefix));
    }

    public void revoke(long lease) {
        post("lease/revoke", object("ID", Long.toString(lease)));
    }

    /** Returns the seconds that are left of the lease. */
    public long secondsLeft(long lease) {
        return Long.parseLong(objects(post("lease/timetolive", object("ID", Long.toString(lease))))
                .get(0)
                .getOrDefault("TTL", "0"));
    }

    /** Compacts every revision but the newest. */
    public void compact() {
        String revision =
                objects(post("kv/range", object("key", base64("/")))).get(0).get("revision");
        post("kv/compaction", "{\"revision\":\"" + revision + "\",\"physical\":true}");
    }

    /** Returns the values of all keys with this prefix. */
    public Map<String, String> entries(String prefix) {
        Map<String, String> entries = new TreeMap<>();
        keyValues(prefix).forEach((key, found) -> entries.put(key, found.value));
        return entries;
    }

    /** Returns the leases of all keys with this prefix, 0 for none. */
    public Map<String, Long> leases(String prefix) {
        Map<String, Long> leases = new TreeMap<>();
        keyValues(prefix).forEach((key, found) -> leases.put(key, found.lease));
        return leases;
    }

    /** Returns all keys with this prefix. */
    public Map<String, KeyValue> keyValues(String prefix) {
        Map<String, KeyValue> found = new TreeMap<>();
        for (Map<String, String> fields : objects(post("kv/range", range(prefix)))) {
            if (fields.containsKey("mod_revision")) {
                found.put(
                        text(fields.get("key")),
                        new KeyValue(
                                text(fields.getOrDefault("value", "")),
                                Long.parseLong(fields.getOrDefault("lease", "0")),
                                Long.parseLong(fields.get("version")),
                                Long.parseLong(fields.get("mod_revision"))));
            }
        }
        return found;
    }

    /** Returns what the key has, or null where there is no such key. */
    public KeyValue get(String key) {
        return keyValues(key).get(key);
    }

    /**
     * Serves only users from now on, of whom this one may do everything below {@code /dubbomesh/}. The methods of this
     * class are refused then.
     */
    public void requireUsers(String name, String password) {
        post("auth/user/add", object("name", "root", "password", "secret-of-root"));
        post("auth/role/add", object("name", "root"));
        post("auth/user/grant", object("user", "root", "role", "root"));
        post("auth/user/add", object("name", name, "password", password));
        post("auth/role/add", object("name", "agents"));
        post(
                "auth/role/grant",
                "{\"name\":\"agents\",\"perm\":{\"permType\":\"READWRITE\",\"key\":\"" + base64("/dubbomesh/")
                        + "\",\"range_end\":\"" + base64("/dubbomesh0") + "\"}}");
        post("auth/user/grant", object("user", name, "role", "agents"));
        post("auth/enable", "{}");
    }

    /** Returns a metric of the first node that answers, summed over its labels. */
    public double metric(String name) {
        return answer(urls(), "/metrics", null)
                .lines()
                .filter(line -> line.startsWith(name + ' ') || line.startsWith(name + '{'))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Returns whether a node answers a request, for which most of its cluster is needed. */
    public boolean isHealthy() {
        try {
            return answer(urls(), "/health", null).contains("\"true\"");
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** Returns whether the node with this URL is the leader of its cluster. */
    protected static boolean isLeader(String url) {
        try {
            Map<String, String> status = objects(answer(List.of(url), "/v3/maintenance/status", "{}"))
                    .get(0);
            return status.get("member_id").equals(status.get("leader"));
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    private String post(String path, String json) {
        return answer(urls(), "/v3/" + path, json);
    }

    /** @param json null for GET */
    private static String answer(List<String> urls, String path, String json) {
        IOException failure = new IOException("etcd: no node runs");
        for (String url : urls) {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(url + path)).timeout(TIMEOUT);
            if (json != null) {
                request.POST(HttpRequest.BodyPublishers.ofString(json));
            }
            try {
                HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (response.statusCode() == 200) {
                    return response.body();
                }
                failure = new IOException(response.uri() + ": " + response.statusCode() + ": " + response.body());
            } catch (IOException e) {
                failure = e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(e);
            }
        }
        throw new UncheckedIOException(failure);
    }

    private static String range(String prefix) {
        String end = prefix.substring(0, prefix.length() - 1) + (char) (prefix.charAt(prefix.length() - 1) + 1);
        return object("key", base64(prefix), "range_end", base64(end));
    }

    private static String object(String... namesAndValues) {
        StringBuilder json = new StringBuilder("{");
        for (int i = 0; i < namesAndValues.length; i += 2) {
            json.append(i == 0 ? "\"" : ",\"")
                    .append(namesAndValues[i])
                    .append("\":\"")
                    .append(namesAndValues[i + 1])
                    .append('"');
        }
        return json.append('}').toString();
    }

    /** Returns the scalar fields of the answer itself and its header, then those of each object in an array. */
    private static List<Map<String, String>> objects(String json) {
        List<Map<String, String>> objects = new ArrayList<>();
        objects.add(new LinkedHashMap<>());
        Map<String, String> fields = objects.get(0);
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT
                        && parser.getParsingContext().getParent().inArray()) {
                    fields = new LinkedHashMap<>();
                    objects.add(fields);
                } else if (token == JsonToken.END_ARRAY) {
                    fields = objects.get(0);
                } else if (token.isScalarValue() && parser.currentName() != null) {
                    fields.put(parser.currentName(), parser.getText());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return objects;
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String text(String base64) {
        return new String(Base64.getDecoder().decode(base64), UTF_8);
    }
}
