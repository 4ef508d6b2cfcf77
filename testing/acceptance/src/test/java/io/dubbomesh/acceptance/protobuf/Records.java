package io.dubbomesh.acceptance.protobuf;

import io.dubbomesh.acceptance.mesh.Agent;
import io.dubbomesh.acceptance.mesh.Mesh;
import io.dubbomesh.testsupport.HttpAnswer;
import io.dubbomesh.testsupport.HttpSocket;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The service of {@code records.proto} as a gateway calls it, and the calls that any server of it must answer. */
final class Records {
    static final String PROTO_NAME = "demo.records.v1.Records";

    private static final Path TARGET = Path.of("../demo/messages/target");

    /** An argument, and the member of the answer that has its value: one for each kind of field. */
    private static final Map<String, String> KINDS = Map.ofEntries(
            Map.entry("{'int32':-2147483648}", "'int32':-2147483648"),
            Map.entry("{'int64':9007199254740993}", "'int64':'9007199254740993'"),
            Map.entry("{'uint32':4294967295}", "'uint32':4294967295"),
            Map.entry("{'uint64':'18446744073709551615'}", "'uint64':'18446744073709551615'"),
            Map.entry("{'sint32':-2}", "'sint32':-2"),
            Map.entry("{'sint64':'-9223372036854775808'}", "'sint64':'-9223372036854775808'"),
            Map.entry("{'fixed32':4294967295}", "'fixed32':4294967295"),
            Map.entry("{'fixed64':'1'}", "'fixed64':'1'"),
            Map.entry("{'sfixed32':-1}", "'sfixed32':-1"),
            Map.entry("{'sfixed64':'-1'}", "'sfixed64':'-1'"),
            Map.entry("{'float':1.5}", "'float':1.5"),
            Map.entry("{'double':'NaN'}", "'double':'NaN'"),
            Map.entry("{'bool':true}", "'bool':true"),
            Map.entry("{'bytes':'AP8='}", "'bytes':'AP8='"),
            Map.entry("{'name':'<&>'}", "'name':'<&>'"),
            Map.entry("{'color':'RED'}", "'color':'RED'"),
            Map.entry("{'color':77}", "'color':77"),
            Map.entry("{'inner':{'inner':{'name':'a'}}}", "'inner':{'name':'a'"),
            Map.entry("{'numbers':[1,'2']}", "'numbers':['1','2']"),
            Map.entry("{'byName':{'b':1,'a':'2'}}", "'byName':{'a':'2','b':'1'}"),
            Map.entry("{'byNumber':{'-1':{'name':'a'}}}", "'byNumber':{'-1':{'name':'a'"),
            Map.entry("{'number':0}", "'number':'0'"),
            Map.entry("{'text':''}", "'text':''"),
            Map.entry("{'maybe':0}", "'maybe':0"),
            Map.entry("{'at':'2026-11-28T10:00:00.5+01:00'}", "'at':'2026-11-28T09:00:00.500Z'"),
            Map.entry("{'length':'1.5s'}", "'length':'1.500s'"),
            Map.entry("{'struct':{'a':[1,null,'x']}}", "'struct':{'a':[1.0,null,'x']}"),
            Map.entry(
                    "{'any':{'@type':'type.googleapis.com/demo.records.v1.Record','name':'a'}}",
                    "'any':{'@type':'type.googleapis.com/demo.records.v1.Record','name':'a'"),
            Map.entry("{'boxed':'5'}", "'boxed':'5'"));

    private Records() {}

    /** Returns the arguments of {@link #KINDS} with the members that their answers have. */
    static Stream<Map.Entry<String, String>> kinds() {
        return KINDS.entrySet().stream().map(each -> Map.entry(json(each.getKey()), json(each.getValue())));
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    /** Returns the file of descriptors that the build has made. */
    static Path descriptors() throws IOException {
        try (Stream<Path> files = Files.walk(TARGET)) {
            return files.filter(file -> file.endsWith("messages.desc"))
                    .findFirst()
                    .orElseThrow()
                    .toAbsolutePath()
                    .normalize();
        }
    }

    /** @param settings beside those of every gateway; their paths are relative to this module */
    static Agent gateway(Mesh mesh, String name, String registry, Map<String, String> settings) throws IOException {
        Map<String, String> all = new HashMap<>(settings);
        all.put("type", "gateway");
        all.put("request.timeout", "20 s");
        return mesh.consumerAgent(name, registry, all);
    }

    static HttpAnswer call(Agent gateway, String path, String body, String... fields) throws Exception {
        String[] all = Stream.concat(Stream.of("Content-Type: application/json"), Stream.of(fields))
                .toArray(String[]::new);
        return HttpSocket.once(gateway.port(), HttpSocket.request("POST /" + path, body, all));
    }

    /** Returns the lines of a stream. */
    static List<String> stream(Agent gateway, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + gateway.port() + '/' + path))
                .header("Content-Type", "application/json")
                .header("Accept", "application/x-ndjson")
                .POST(BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofLines())
                .body()
                .toList();
    }
}
