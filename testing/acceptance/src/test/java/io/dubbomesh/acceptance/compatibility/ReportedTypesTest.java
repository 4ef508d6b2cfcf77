package io.dubbomesh.acceptance.compatibility;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.ClassDefinitions;
import io.dubbomesh.protocol.definition.ClassHierarchy;
import io.dubbomesh.protocol.definition.DefinitionJson;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of the demo's services with what real providers have reported of their types, beside the same calls with class
 * files: the bytes for the provider are the same. The reports are what providers of these versions had written into a
 * ZooKeeper 3.7.2, but for their process id.
 */
class ReportedTypesTest {
    private static final Path REPORTS = Path.of("src", "test", "resources", "metadata-reports");
    private static final Path CLASS_FILES = Path.of("../..", "testing", "demo", "api", "target", "classes");
    private static final Path CALLS = Path.of("src", "test", "resources", "compatibility.calls");

    /**
     * The parts that a report does not have: which subclasses there are, what is abstract or a record, what type
     * variables stand for, what a generic class has.
     */
    static final Set<String> OTHERWISE = Set.of(
            "DrawingService.area(Shape)",
            "DrawingService.describe(Drawing)",
            "DrawingService.echo(Drawing)",
            "DrawingService.echoNote(Note)",
            "DrawingService.largest(List<Shape>)",
            "describeTeam(Team)",
            "DrawingService.mirrored(Point)",
            "UserService.describe(UserQuery,List<User>)",
            "UserService.find(UserQuery)",
            "UserService.get(Long)",
            "UserService.keyOf(User)",
            "UserService.rename(User,String)",
            "UserService.save(User)",
            "echoPage(Page<Item>)",
            "totalOfPage(Page<Item>)");

    private static ServiceDefinition withClassFiles(String service) throws Exception {
        ClassHierarchy classes = new ClassHierarchy(name -> {
            Path file = CLASS_FILES.resolve(name.replace('.', '/') + ".class");
            return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
        });
        return ClassDefinitions.of(service, classes);
    }

    /** With the fields in the order in which the other has them, which is the order in which they are written. */
    private static ServiceDefinition ordered(ServiceDefinition service, ServiceDefinition other) {
        Map<String, TypeDefinition> types = new HashMap<>();
        service.types()
                .forEach((name, type) ->
                        types.put(name, ordered(type, other.types().get(MethodDefinition.erased(name)))));
        return new ServiceDefinition(service.methods(), types);
    }

    private static TypeDefinition ordered(TypeDefinition type, TypeDefinition other) {
        if (other == null || !other.fields().keySet().equals(type.fields().keySet())) {
            return type;
        }
        Map<String, String> fields = new LinkedHashMap<>();
        other.fields().keySet().forEach(name -> fields.put(name, type.fields().get(name)));
        return new TypeDefinition(
                type.name(),
                type.kind(),
                type.constants(),
                fields,
                type.facts(),
                type.subclasses(),
                type.isMentioned(),
                type.container());
    }

    /** Returns the request that the provider gets, or the reason for which the call is refused. */
    private static String request(Call call, List<String> types, ServiceDefinition service) {
        String descriptor = types == null ? null : TypeNames.descriptors(types, call.packageName());
        MethodName name = new MethodName(call.service(), call.method(), descriptor, "", "");
        return request(name, call.arguments(), service);
    }

    private static String request(MethodName name, String text, ServiceDefinition service) {
        byte[] arguments = text.getBytes(UTF_8);
        ByteBuf json = Unpooled.wrappedBuffer(arguments);
        ByteBuf out = Unpooled.buffer();
        try {
            DubboRequest prepared = DubboRequest.prepare(name, Serialization.HESSIAN2, service);
            boolean written = prepared.encode(
                    out,
                    1,
                    false,
                    new CallArguments().json(json, 0, arguments.length).timeLeftMs(1_000));
            return ByteBufUtil.hexDump(out) + written + (prepared.isGeneric() ? " generic" : " native");
        } catch (CallException e) {
            return e.outcome() + " " + e.getMessage();
        } finally {
            out.release();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2.7.23", "3.2.19", "3.3.6"})
    void callsAreThoseThatClassFilesMake(String version) throws Exception {
        Map<String, ServiceDefinition> reported = new HashMap<>();
        Map<String, ServiceDefinition> declared = new HashMap<>();
        Set<String> otherwise = new TreeSet<>();
        Set<String> nativeCalls = new TreeSet<>();
        for (Call call : CallTable.read(CALLS)) {
            Path report = REPORTS.resolve(version).resolve(call.service() + ".json");
            if (!Files.exists(report)) {
                continue;
            }
            if (!reported.containsKey(call.service())) {
                ServiceDefinition definition = DefinitionJson.parse(Files.readString(report));
                reported.put(call.service(), definition);
                declared.put(call.service(), ordered(withClassFiles(call.service()), definition));
            }
            if (reported.get(call.service()).methods().stream()
                    .noneMatch(method -> method.name().equals(call.method()))) {
                // The demo's service has got it since the report was written.
                continue;
            }
            String withReport = request(call, call.types(), reported.get(call.service()));
            String withClasses = request(call, call.types(), declared.get(call.service()));
            if (withReport.endsWith(" native")) {
                nativeCalls.add(call.signature());
            }
            if (!withReport.equals(withClasses)) {
                otherwise.add(call.signature());
            }
        }
        assertThat(otherwise).isEqualTo(OTHERWISE);
        assertThat(nativeCalls)
                .hasSizeGreaterThan(100)
                .contains("echoOrder(Order)", "Diary.postpone(Appointment)", "SignUp.register(Account)");
    }

    /** A report does not say what the T of a {@code Page<T>} stands for; the client does. */
    @ParameterizedTest
    @ValueSource(strings = {"2.7.23", "3.2.19", "3.3.6"})
    void objectsThatNameTheirClassAreWrittenForATypeVariable(String version) throws Exception {
        Path report = REPORTS.resolve(version).resolve(Call.CONFORMANCE + ".json");
        ServiceDefinition definition = DefinitionJson.parse(Files.readString(report));
        String item =
                "{\"class\":\"io.dubbomesh.demo.conformance.Item\",\"name\":\"pen\",\"price\":1.50,\"quantity\":3}";
        String page = "[{\"content\":[" + item + "],\"first\":" + item + ",\"total\":1}]";
        MethodName name = new MethodName(Call.CONFORMANCE, "echoPage", MethodName.UNKNOWN_TYPES, "", "");

        String withReport = request(name, page, definition);

        assertThat(withReport)
                .endsWith(" native")
                .isEqualTo(request(name, page, ordered(withClassFiles(Call.CONFORMANCE), definition)));
    }
}
