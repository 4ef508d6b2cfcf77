package io.dubbomesh.provider;

import io.dubbomesh.client.definition.ServiceDefinitions;
import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.testsupport.DubboConnection;
import io.dubbomesh.testsupport.DubboFrame;
import io.dubbomesh.testsupport.MeshConnection;
import io.dubbomesh.testsupport.MeshFrame;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

import static io.dubbomesh.provider.HashCalls.HASHER;
import static io.dubbomesh.testsupport.Hex.text;
import static io.dubbomesh.testsupport.MeshFrame.names;
import static io.dubbomesh.testsupport.MeshFrame.request;
import static org.assertj.core.api.Assertions.assertThat;

class ServiceDefinitionsTest {
    private static final String NO_ATTACHMENTS = "00001388" + "0000";
    private static final ServiceDefinition HASHES = new ServiceDefinition(
            List.of(new MethodDefinition("hash", List.of("java.lang.String"), "int")),
            Map.of("a.Colour", new TypeDefinition("a.Colour", List.of("RED"), Map.of())));

    private final AgentFixture mesh;

    ServiceDefinitionsTest() throws Exception {
        mesh = new AgentFixture();
    }

    @AfterEach
    void close() throws Exception {
        mesh.close();
    }

    private void define(ServiceDefinition definition) {
        ProviderLoop loop = mesh.agent.loops().get(0);
        ServiceDefinitions services = new ServiceDefinitions(Map.of(new ServiceKey(HASHER, "", ""), definition));
        loop.eventLoop()
                .submit(() -> loop.define(services, ServedServices.parse(List.of(HASHER))))
                .syncUninterruptibly();
    }

    @Test
    void aCallWithoutTypesIsGenericUntilTheTypesAreKnown() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        peer.send(MeshFrame.define(1, names(HASHER, "hash", "?", "", "")));

        peer.send(request(1, 1, 0x02, NO_ATTACHMENTS + text("[\"a\"]")));
        assertThat(provider.read().body())
                .contains("07" + text("$invoke"))
                .contains("07" + text("generic") + "04" + text("true"));

        define(HASHES);
        peer.send(request(2, 1, 0x02, NO_ATTACHMENTS + text("[\"a\"]")));
        assertThat(provider.read().body())
                .contains("04" + text("hash") + "12" + text("Ljava/lang/String;") + "01" + text("a"))
                .doesNotContain(text("generic"));
    }

    @Test
    void aMethodThatTheProviderDoesNotHaveNeverReachesIt() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(HASHES);

        peer.send(request(1, 0, 0x02, NO_ATTACHMENTS + names(HASHER, "hsah", "?", "", "") + text("[\"a\"]")));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(14);
        assertThat(answer.document()).contains("hash(java.lang.String)");
    }

    @Test
    void aServiceIsDescribedAsFarAsItIsKnown() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        String describe = NO_ATTACHMENTS + names(HASHER, "$describe", "", "", "") + text("[]");

        peer.send(request(1, 0, 0x02, describe));
        MeshFrame unknown = peer.read();
        assertThat(unknown.status()).isEqualTo(12);
        assertThat(unknown.document()).contains("the methods of service " + HASHER + " are not known");

        define(HASHES);
        peer.send(request(2, 0, 0x02, describe));
        MeshFrame known = peer.read();
        assertThat(known.status()).isZero();
        assertThat(known.document())
                .isEqualTo(
                        "{\"interface\":\"" + HASHER
                                + "\",\"version\":\"\",\"group\":\"\",\"source\":\"provider\",\"methods\":["
                                + "{\"name\":\"hash\",\"parameterTypes\":[\"java.lang.String\"],\"returnType\":\"int\","
                                + "\"descriptor\":\"Ljava/lang/String;\"}],\"types\":{\"a.Colour\":{\"constants\":[\"RED\"]}}}");
    }

    @Test
    void oneMethodIsDescribedWithTheClassesThatItUses() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(new ServiceDefinition(
                List.of(
                        new MethodDefinition("find", List.of("java.util.List<a.Key>"), "a.Page<a.Key>"),
                        new MethodDefinition("other", List.of("a.Other"), "void")),
                Map.of(
                        "a.Page<a.Key>",
                        new TypeDefinition("a.Page", List.of(), Map.of("first", "a.Key")),
                        "a.Key",
                        new TypeDefinition("a.Key", List.of(), Map.of("kind", "a.Kind[]")),
                        "a.Kind",
                        new TypeDefinition("a.Kind", List.of("ONE"), Map.of()),
                        "a.Other",
                        new TypeDefinition("a.Other", List.of(), Map.of("key", "int")))));
        String describe = NO_ATTACHMENTS + names(HASHER, "$describe", "", "", "");

        peer.send(request(1, 0, 0x02, describe + text("[\"find\"]")));
        assertThat(peer.read().document())
                .contains("\"methods\":[{\"name\":\"find\"")
                .contains("a.Page<a.Key>", "\"a.Key\":{", "\"a.Kind\":{")
                .doesNotContain("a.Other", "\"other\"");

        peer.send(request(2, 0, 0x02, describe + text("[\"fund\"]")));
        MeshFrame unknown = peer.read();
        assertThat(unknown.status()).isEqualTo(14);
        assertThat(unknown.document()).contains("has no method fund", "find(");
    }

    @Test
    void aGenericClassIsDescribedForEachOfItsUses() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(new ServiceDefinition(
                HASHES.methods(),
                Map.of(
                        "a.Page<int[]>",
                        new TypeDefinition("a.Page", List.of(), Map.of("first", "int[]")),
                        "a.Page<java.lang.String>",
                        new TypeDefinition("a.Page", List.of(), Map.of("first", "java.lang.String")))));

        peer.send(request(1, 0, 0x02, NO_ATTACHMENTS + names(HASHER, "$describe", "", "", "") + text("[]")));

        assertThat(peer.read().document())
                .endsWith("\"types\":{\"a.Page<int[]>\":{\"fields\":{\"first\":\"int[]\"}},"
                        + "\"a.Page<java.lang.String>\":{\"fields\":{\"first\":\"java.lang.String\"}}}}");
    }

    @Test
    void aTypeVariableAndSubclassesAreDescribed() throws Exception {
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(new ServiceDefinition(
                List.of(new MethodDefinition("get", List.of("a.Key"), "a.Shape", List.of("java.lang.Object"))),
                Map.of(
                        "a.Shape",
                        new TypeDefinition(
                                "a.Shape",
                                TypeDefinition.Kind.INTERFACE,
                                List.of(),
                                Map.of(),
                                Set.of(),
                                Set.of("a.Circle")),
                        "a.Circle",
                        new TypeDefinition(
                                "a.Circle",
                                TypeDefinition.Kind.CLASS,
                                List.of(),
                                Map.of("radius", "int"),
                                Set.of(),
                                Set.of()))));

        peer.send(request(1, 0, 0x02, NO_ATTACHMENTS + names(HASHER, "$describe", "", "", "") + text("[]")));

        assertThat(peer.read().document())
                .endsWith(
                        "{\"name\":\"get\",\"parameterTypes\":[\"a.Key\"],\"returnType\":\"a.Shape\","
                                + "\"descriptor\":\"Ljava/lang/Object;\"}],\"types\":{\"a.Circle\":{\"fields\":{\"radius\":\"int\"}},"
                                + "\"a.Shape\":{\"abstract\":true,\"interface\":true,\"fields\":{},\"subclasses\":[\"a.Circle\"]}},\"unknown\":[\"a.Key\"]}");
    }

    /** Its result is a map that names the class, which is the fields of the object that the method declares. */
    @Test
    void aNativeMethodIsCalledGenericallyForAValueThatOnlyTheProviderCanMake() throws Exception {
        DubboConnection provider = mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(new ServiceDefinition(
                List.of(new MethodDefinition("hash", List.of("a.Shape"), "a.Shape")),
                Map.of(
                        "a.Shape",
                        new TypeDefinition(
                                "a.Shape",
                                TypeDefinition.Kind.INTERFACE,
                                List.of(),
                                Map.of(),
                                Set.of(),
                                Set.of("a.Circle")),
                        "a.Circle",
                        new TypeDefinition("a.Circle", List.of(), Map.of("radius", "int")))));
        peer.send(MeshFrame.define(1, names(HASHER, "hash", "?", "", "")));
        String result = "94 'H' 05'class' 08'a.Circle' 06'radius' 91 'Z' 'H' 'Z'";

        peer.send(request(1, 1, 0x02, NO_ATTACHMENTS + text("[{\"radius\":1}]")));
        DubboFrame generic = provider.read();
        assertThat(generic.body()).contains("07" + text("$invoke"));
        provider.answer(generic.id(), DubboFrame.OK, result);
        assertThat(peer.read().document()).isEqualTo("{\"radius\":1}");

        peer.send(request(2, 1, 0x02, NO_ATTACHMENTS + text("[{\"class\":\"a.Circle\",\"radius\":1}]")));
        DubboFrame known = provider.read();
        assertThat(known.body()).doesNotContain(text("$invoke"));
        provider.answer(known.id(), DubboFrame.OK, result);
        assertThat(peer.read().document()).isEqualTo("{\"radius\":1}");
    }

    @Test
    void aDescriptionThatIsLongerThanAFrameIsNotSent() throws Exception {
        mesh.with("mesh.max-frame", 70_000);
        mesh.startAndAccept();
        MeshConnection peer = mesh.peer();
        define(new ServiceDefinition(
                HASHES.methods(), Map.of("a.Big", new TypeDefinition("a.Big", List.of("X".repeat(70_000)), Map.of()))));

        peer.send(request(1, 0, 0x02, NO_ATTACHMENTS + names(HASHER, "$describe", "", "", "") + text("[]")));

        MeshFrame answer = peer.read();
        assertThat(answer.status()).isEqualTo(33);
        assertThat(answer.document()).contains("longer than a frame may be");
    }
}
