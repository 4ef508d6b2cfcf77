package io.dubbomesh.consumer.openapi;

import io.dubbomesh.client.definition.SourceFiles;
import io.dubbomesh.client.method.ServiceDescriptionWriter;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.DefinitionSource;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.definition.TypeDefinition;
import io.dubbomesh.protocol.schema.SchemaForms;
import io.dubbomesh.testsupport.Await;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the operator has written about services. */
class DescriptionFileTest {
    private static final String TEXT = """
            services {
              "a.Shop" {
                description = "Sells tea."
                methods {
                  buy { description = "Orders.", result = "The number.", parameters { order = "What is \\"wanted\\"." } }
                }
              }
            }
            classes {
              "a.Order" { description = "An order.", fields { item = "What.", count = "How many.", next = "Another." } }
            }
            """;

    @Test
    void theTextsAreInTheDocument() throws Exception {
        ServiceDefinition service = new ServiceDefinition(
                List.of(new MethodDefinition("buy", List.of("a.Order"), "int")),
                Map.of(
                        "a.Order",
                        new TypeDefinition(
                                "a.Order",
                                List.of(),
                                Map.of("item", "java.lang.String", "count", "int", "next", "a.Order"))),
                DefinitionSource.CLASS_FILES);
        MethodName name = new MethodName("a.Shop", MethodName.DESCRIBE, "", "", "");
        ByteBuf description = Unpooled.buffer();
        ServiceDescriptionWriter.write(description, name, service);
        Described described = Described.by(name, ByteBufUtil.getBytes(description));
        OpenApiSettings settings = new OpenApiSettings(60_000, false, DescriptionFile.open(null), SourceFiles.NONE);

        ByteArrayOutputStream document = new ByteArrayOutputStream();
        new OpenApiDocument(settings, SchemaForms.CANONICAL, DescriptionFile.parse(TEXT))
                .write(List.of(described), "1", document);

        assertThat(document.toString(UTF_8))
                .contains("\"description\":\"Sells tea.\\n\\na.Shop. The types")
                .contains("\"description\":\"Orders.\"")
                .contains("\"description\":\"- `order`: What is \\\"wanted\\\".\\n\"")
                .contains("\"200\":{\"description\":\"The number.\"")
                .contains("\"Order-Input\":{\"description\":\"An order.\",\"type\":\"object\"")
                .contains("\"item\":{\"description\":\"What.\",\"type\":[\"string\",\"null\"]}")
                .contains("\"count\":{\"description\":\"How many.\",\"type\":\"integer\"")
                .contains("\"next\":{\"description\":\"Another.\",\"anyOf\":[{\"$ref\"");
    }

    @Test
    void aChangedFileIsReadAgain(@TempDir Path directory) throws Exception {
        Path path = Files.writeString(directory.resolve("texts.conf"), TEXT);
        try (DescriptionFile file = DescriptionFile.open(path)) {
            assertThat(file.texts().ofService("a.Shop").description()).isEqualTo("Sells tea.");

            Files.writeString(path, TEXT.replace("Sells tea.", "Sells coffee."));

            Await.until(
                    "the file is read again",
                    () -> file.texts().ofService("a.Shop").description().equals("Sells coffee."));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "services { a.Shop { description = x } } | 1: \"Shop\" (expected: description or methods; names with dots stand in quotes)",
                "services { \"a.Shop\" { methods { buy = x } } } | 1: \"buy\" (expected: { ... })",
                "classes { \"a.Order\" { fields { item = [x] } } } | 1: \"item\" (expected: a text; names with dots stand in quotes)",
                "types {} | 1: \"types\" (expected: services or classes)",
                "services = 7 | 1: \"services\" (expected: { ... })"
            })
    void aMistakeIsNamedWithItsLine(String text, String message) {
        assertThatThrownBy(() -> DescriptionFile.parse(text)).hasMessage(message);
    }

    @Test
    void whatIsNoHoconOrIncludesOthersIsRefused() {
        assertThatThrownBy(() -> DescriptionFile.parse("services {")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DescriptionFile.parse("include \"x\"")).isInstanceOf(IllegalArgumentException.class);
    }
}
