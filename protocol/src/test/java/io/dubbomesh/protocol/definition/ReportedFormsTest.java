package io.dubbomesh.protocol.definition;

import io.dubbomesh.protocol.CallException;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.request.CallArguments;
import io.dubbomesh.protocol.request.DubboRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Definitions of services in forms that users of Dubbo have reported as failures of other programs that read them. */
class ReportedFormsTest {
    private static final String PERSON_METHOD =
            "'methods':[{'name':'testPerson','parameterTypes':['a.Person'],'returnType':'a.Person'}]";

    /** The report of dubbo-go, with its names of classes that have none in Java (dubbo-go#3711). */
    private static final String GO = """
            {'canonicalName':'a.UserProvider','methods':[
              {'name':'GetUser','parameterTypes':['java.lang.String','int'],'returnType':'github.com/acme/shop-api/v2/model.User'},
              {'name':'SaveUsers','parameterTypes':['github.com/acme/shop-api/v2/model.User[]','byte[]'],'returnType':'void'},
              {'name':'FindOrder','parameterTypes':['com.acme.OrderQuery'],
               'returnType':'java.util.Map<java.lang.String,java.lang.Long>'}],
             'parameters':{'release':'dubbo-golang-3.3.2','side':'provider'},
             'types':[{'type':'byte[]','items':['byte']},
              {'type':'com.acme.OrderQuery','properties':{'ids':'long[]','owner':'java.lang.String'}},
              {'type':'github.com/acme/shop-api/v2/model.User',
               'properties':{'name':'java.lang.String','friends':'github.com/acme/shop-api/v2/model.User[]'}},
              {'type':'github.com/acme/shop-api/v2/model.User[]','items':['github.com/acme/shop-api/v2/model.User']},
              {'type':'java.util.Map<java.lang.String,java.lang.Long>','items':['java.lang.String','java.lang.Long']},
              {'type':'long[]','items':['long']}]}""";

    private static ServiceDefinition parsed(String json) throws MalformedDefinitionException {
        return DefinitionJson.parse(json.replace('\'', '"'));
    }

    private static DubboRequest prepared(String method, ServiceDefinition service) throws Exception {
        return DubboRequest.prepare(
                new MethodName("a.Service", method, MethodName.UNKNOWN_TYPES, "", ""), Serialization.HESSIAN2, service);
    }

    private static String written(DubboRequest request, String arguments) throws Exception {
        byte[] json = arguments.replace('\'', '"').getBytes(UTF_8);
        ByteBuf out = Unpooled.buffer();
        request.encode(
                out,
                1,
                false,
                new CallArguments()
                        .json(Unpooled.wrappedBuffer(json), 0, json.length)
                        .timeLeftMs(1_000));
        return out.toString(ISO_8859_1);
    }

    /**
     * The reports of fastjson and gson of Dubbo 2.7, and of Dubbo 3, of a class that has lists and maps of itself
     * (dubbo#6475).
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'a.Person','properties':{'name':{'type':'java.lang.String'},'persons':{'type':"
                        + "'java.util.List<a.Person>','items':[{'$ref':'$.types[0]'}]},'byName':{'type':"
                        + "'java.util.Map<java.lang.String,a.Person>','items':[{'$ref':'$.types[0].properties.name'},"
                        + "{'$ref':'$.types[0]'}]}}}",
                "{'type':'a.Person','properties':{'name':{'type':'java.lang.String','items':[],'enum':[],'properties':{}},"
                        + "'persons':{'type':'java.util.List<a.Person>','items':[{'type':'a.Person','$ref':'a.Person'}]},"
                        + "'byName':{'type':'java.util.Map<java.lang.String,a.Person>','items':[{'type':"
                        + "'java.lang.String'},{'type':'a.Person','$ref':'a.Person'}]}}}",
                "{'type':'a.Person','properties':{'name':'java.lang.String','persons':'java.util.List<a.Person>',"
                        + "'byName':'java.util.Map<java.lang.String,a.Person>'}},"
                        + "{'type':'java.util.List<a.Person>','items':['a.Person']},"
                        + "{'type':'java.util.Map<java.lang.String,a.Person>','items':['java.lang.String','a.Person']}"
            })
    void aClassThatHasItselfAsTypeArgumentIsKnownAndWritten(String types) throws Exception {
        ServiceDefinition service =
                parsed("{'canonicalName':'a.GreetingService'," + PERSON_METHOD + ",'types':[" + types + "]}");

        assertThat(service.types().get("a.Person").fields())
                .isEqualTo(Map.of(
                        "name", "java.lang.String",
                        "persons", "java.util.List<a.Person>",
                        "byName", "java.util.Map<java.lang.String,a.Person>"));
        DubboRequest request = prepared("testPerson", service);
        assertThat(request.isGeneric()).isFalse();
        assertThat(written(
                        request,
                        "[{'name':'ann','persons':[{'name':'bob','persons':[{'name':'cid'}]}],"
                                + "'byName':{'dan':{'name':'dan'}}}]"))
                .containsSubsequence("a.Person", "ann", "bob", "cid", "dan");
    }

    /** Dubbo's report (3) of {@code page(Page<Order>)}, where a Page has a {@code List<T>}. */
    private static final String PAGES = """
            {'canonicalName':'a.Orders','methods':[{'name':'page','parameterTypes':['a.Page'],'returnType':'a.Page'}],
             'types':[{'type':'a.Page','properties':{'total':'long','content':'java.util.List<T>',
                       'byName':'java.util.Map<java.lang.String,T[]>'}},
                      {'type':'a.Order','properties':{'id':'long'}}]}""";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{'content':[{'id':1}]}]                       | args[0].content[0]
            [{'content':[{'class':'b.Other','id':1}]}]     | args[0].content[0]
            [{'content':[[{'id':1}]]}]                     | args[0].content[0][0]
            [{'total':1,'byName':{'pen':[{'id':1}]}}]      | args[0].byName.pen[0]
            """)
    void anObjectForATypeVariableIsRefusedWithoutItsClass(String arguments, String path) throws Exception {
        DubboRequest request = prepared("page", parsed(PAGES));

        assertThatExceptionOfType(CallException.class)
                .isThrownBy(() -> written(request, arguments))
                .withMessage(path + ": {...} (expected: the member class with a class of the service, since the"
                        + " report of the types does not tell what T stands for, or class files in dubbo.api.jars of"
                        + " the agent)")
                .satisfies(e -> assertThat(e.outcome()).isEqualTo(Outcome.BAD_ARGUMENT));
    }

    @Test
    void anObjectForATypeVariableMayNameItsClass() throws Exception {
        DubboRequest request = prepared("page", parsed(PAGES));

        assertThat(request.isGeneric()).isFalse();
        assertThat(written(request, "[{'content':[{'class':'a.Order','id':5}],'byName':{'pen':[]}}]"))
                .containsSubsequence("a.Page", "a.Order", "pen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[null]", "[{'content':['a',1,true,null],'total':3}]", "[{'content':[]}]"})
    void whatIsNoObjectIsTakenForATypeVariable(String arguments) throws Exception {
        assertThat(written(prepared("page", parsed(PAGES)), arguments)).contains("La/Page;");
    }

    /** A report does not have the type of the variable: calls are generic, and the provider knows. */
    @Test
    void aGenericClassOfItselfIsLeftToTheProvider() throws Exception {
        ServiceDefinition service = parsed(
                "{'canonicalName':'a.TreeService','methods':[{'name':'grow','parameterTypes':['a.Tree<a.Person>'],"
                        + "'returnType':'a.Tree<a.Person>'}],'types':[{'type':'a.Tree<a.Person>','properties':"
                        + "{'value':'T','children':'java.util.List<a.Tree<T>>'}},{'type':'a.Person','properties':"
                        + "{'tree':'a.Tree<a.Person>'}}]}");

        assertThat(service.types()).containsOnlyKeys("a.Person");
        DubboRequest request = prepared("grow", service);
        assertThat(request.isGeneric()).isTrue();
        assertThat(written(request, "[{'value':{'tree':null},'children':[{'children':[]}]}]"))
                .containsSubsequence("$invoke", "grow", "a.Tree", "children");
    }

    @Test
    void methodsOfAProviderInGoAreKnownWithTheirTypes() throws Exception {
        assertThat(parsed(GO).methods())
                .containsExactly(
                        new MethodDefinition(
                                "GetUser",
                                List.of("java.lang.String", "int"),
                                "github.com/acme/shop-api/v2/model.User"),
                        new MethodDefinition(
                                "SaveUsers", List.of("github.com/acme/shop-api/v2/model.User[]", "byte[]"), "void"),
                        new MethodDefinition(
                                "FindOrder",
                                List.of("com.acme.OrderQuery"),
                                "java.util.Map<java.lang.String,java.lang.Long>"));
    }

    /** Such a class has no name by which the provider knows it in a serialized object. */
    @Test
    void aClassOfGoWithoutANameInJavaIsLeftToTheProvider() throws Exception {
        ServiceDefinition service = parsed(GO);

        assertThat(service.types()).containsOnlyKeys("com.acme.OrderQuery");
        assertThat(prepared("GetUser", service).isGeneric()).isFalse();
        assertThat(prepared("FindOrder", service).isGeneric()).isFalse();
        DubboRequest request = prepared("SaveUsers", service);
        assertThat(request.isGeneric()).isTrue();
        assertThat(written(request, "[[{'name':'ann','friends':[]}],'AQI=']"))
                .containsSubsequence("$invoke", "SaveUsers", "ann");
    }
}
