package io.dubbomesh.meshctl.mcp;

import io.dubbomesh.meshctl.agent.AgentClient;
import io.dubbomesh.meshctl.document.ServiceDescription;
import io.dubbomesh.protocol.ServiceKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ToolDraftTest {
    private static String draft(String service, String document) {
        return ToolDraft.of(ServiceKey.parse(service), AgentClient.document(document, ServiceDescription.class));
    }

    private static String method(String name, String parameterTypes, String names, String returnType) {
        return "{\"name\":\"" + name + "\",\"parameterTypes\":[" + parameterTypes + "],"
                + (names.isEmpty() ? "" : "\"parameterNames\":[" + names + "],")
                + "\"returnType\":\"" + returnType + "\"}";
    }

    @Test
    void eachMethodIsAToolInAComment() {
        String document = "{\"methods\":["
                + method("findOrders", "\"a.Query\",\"int\"", "\"query\",\"most\"", "java.util.List<a.Order>") + ','
                + method("delete", "\"long\"", "", "void") + ','
                + method("delete", "\"a.Order\",\"a.Order\",\"int[]\"", "", "boolean")
                + "],\"types\":{\"a.Order\":{\"fields\":{\"id\":\"long\",\"owner\":\"a.Person\"}},"
                + "\"a.Person\":{\"fields\":{\"apiKey\":\"java.lang.String\","
                + "\"cards\":\"java.util.Map<java.lang.String,a.Card[]>\",\"boss\":\"a.Boss\"}},"
                + "\"a.Card\":{\"fields\":{\"pin\":\"int\",\"shipping\":\"int\",\"card_number\":\"java.lang.String\"}}},"
                + "\"unknown\":[\"a.Boss\"]}";

        String draft = draft("a.b.Shop:1.0:blue", document);

        assertThat(draft).endsWith("""
                # instructions = "What these tools are for"

                tools {

                #  Shop_findOrders {
                #    # java.util.List<a.Order> findOrders(a.Query, int)
                #    service = "a.b.Shop"
                #    version = "1.0"
                #    group = "blue"
                #    method = "findOrders"
                #    description = ""
                #    arguments = [
                #      { name = "query", description = "" }
                #      { name = "most", description = "" }
                #    ]
                #    # By its name it may change nothing. If that is so:
                #    # read-only = true
                #    # The result is an array, of which a call can get a part:
                #    # page-size = 20
                #    # Members of the result that may be secret, by their names:
                #    # mask = ["owner.apiKey","owner.cards.*.pin","owner.cards.*.card_number"]
                #    # Not all members of the result are known, or there are too many: look for secret ones yourself.
                #  }

                #  Shop_delete {
                #    # void delete(long)
                #    service = "a.b.Shop"
                #    version = "1.0"
                #    group = "blue"
                #    method = "delete"
                #    parameter-types = "long"
                #    description = ""
                #    # The names of the arguments are not known. Any will do: the model alone sees them.
                #    arguments = [
                #      { name = "value", description = "" }
                #    ]
                #    # By its name it may destroy something. If that is so:
                #    # destructive = true
                #  }

                #  Shop_delete_2 {
                #    # boolean delete(a.Order, a.Order, int[])
                #    service = "a.b.Shop"
                #    version = "1.0"
                #    group = "blue"
                #    method = "delete"
                #    parameter-types = "a.Order, a.Order, int[]"
                #    description = ""
                #    # The names of the arguments are not known. Any will do: the model alone sees them.
                #    arguments = [
                #      { name = "order", description = "" }
                #      { name = "order2", description = "" }
                #      { name = "value", description = "" }
                #    ]
                #    # By its name it may destroy something. If that is so:
                #    # destructive = true
                #  }
                }
                """);
    }

    @Test
    void noNameOfAProviderEndsItsComment() {
        String evil = "m\\n}\\n evil { service = a, method = b }\\r#";

        String draft = draft(
                "a.B",
                "{\"methods\":[" + method(evil, "\"" + evil + "\"", "\"" + evil + "\"", evil) + "],\"types\":{\"" + evil
                        + "\":{\"fields\":{\"token" + evil + "\":\"int\"}}}}");

        assertThat(draft.lines().filter(line -> !line.startsWith("#") && !line.isEmpty()))
                .containsExactly("tools {", "}");
        assertThat(draft.lines().filter(line -> line.startsWith("#  ")))
                .allMatch(line -> line.matches("#  ( .*|B_[A-Za-z0-9_]+ \\{|})"));
    }

    @Test
    void aTypeThatHasItselfIsSearchedOnce() {
        String draft = draft(
                "a.B",
                "{\"methods\":[" + method("m", "", "", "a.Node") + "],\"types\":{\"a.Node\":{\"fields\":"
                        + "{\"left\":\"a.Node\",\"right\":\"java.util.List<a.Node>\",\"token\":\"int\"}}}}");

        assertThat(draft).contains("# mask = [\"token\"]\n", "look for secret ones yourself");
    }
}
