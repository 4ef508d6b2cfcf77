package io.dubbomesh.client.discovery;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.protocol.definition.DefinitionJson;
import io.dubbomesh.protocol.definition.MalformedDefinitionException;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.dubbo.DubboHeader;
import io.dubbomesh.protocol.dubbo.DubboResponseReader;
import io.dubbomesh.protocol.dubbo.ResultFormat;
import io.dubbomesh.protocol.dubbo.Serialization;
import io.dubbomesh.protocol.hessian.HessianReader;
import io.dubbomesh.protocol.value.MalformedValueException;
import io.dubbomesh.runtime.PrintableText;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * The service {@code org.apache.dubbo.metadata.MetadataService} that Dubbo 2.7 and later export beside the
 * application's services: in 2.7 it gives what {@link DefinitionJson} reads; in 3.x what the application exports, and
 * no types.
 *
 * @param application its group
 * @param port        2.7 exports it at a separate port
 */
record MetadataService(String application, String version, int port) {
    private static final String INTERFACE = "org.apache.dubbo.metadata.MetadataService";
    /** Dubbo's own, unless the application configures another one for all its services. */
    static final String VERSION = "1.0.0";

    private static final Pattern EXPORTED = Pattern.compile(
            "[\\[ ]([^\\[\\]\\s,/]+)/" + Pattern.quote(INTERFACE) + ":([^\\[\\]\\s,:]+):([0-9]{1,5})[,\\]]");

    private static final int MAX_PORT = 65_535;
    private static final String STRING = "Ljava/lang/String;";
    /** A group that no service has. */
    private static final String NO_GROUP = "-no-such-group-";

    private static final int MAX_LIST = 1024 * 1024;

    /**
     * Finds it; null if the provider has none.
     *
     * <p>Its group is the application's name, which the agent does not know, and a provider logs a warning for a
     * request to a service that it does not have. But a request to one of its services in a group that it does not have
     * is answered with a list of all services: "Not found exported service: ... in
     * [demo/org.apache.dubbo.metadata.MetadataService:1.0.0:20880, ...]". The provider logs nothing then, as long as
     * the request has no argument.
     *
     * @param application the name to be preferred or, where the answer has no such list, to be used; empty if none is
     *     known
     */
    static MetadataService find(DiscoveryConnection provider, ServiceKey served, String application, int port)
            throws IOException {
        MethodName echo = new MethodName(served.service(), "$echo", "", served.version(), NO_GROUP);
        String list = error(provider.call(echo));
        if (list == null) {
            return application.isEmpty() ? null : new MetadataService(application, VERSION, port);
        }
        MetadataService found = null;
        Matcher exported = EXPORTED.matcher(list);
        int at = 0;
        while (exported.find(at)) {
            // The comma or bracket may be the one in front of the next.
            at = exported.end() - 1;
            boolean preferred = exported.group(1).equals(application);
            int listed = Integer.parseInt(exported.group(3));
            if (listed <= MAX_PORT && (found == null || preferred)) {
                found = new MetadataService(exported.group(1), exported.group(2), listed);
            }
        }
        return found;
    }

    /** Returns the text of an answer that is no result; null if it cannot be read. */
    private static String error(ByteBuf frame) {
        if (DubboHeader.serialization(frame, 0) != Serialization.HESSIAN2.id()) {
            return null;
        }
        HessianReader reader = new HessianReader();
        reader.reset(frame, DubboHeader.LENGTH, DubboHeader.bodyLength(frame, 0));
        try {
            return reader.readString(MAX_LIST);
        } catch (MalformedValueException e) {
            return null;
        }
    }

    /**
     * Returns the definition of a service; null if the metadata service has none.
     *
     * @param connection to {@link #port}
     */
    ServiceDefinition definition(DiscoveryConnection connection, ServiceKey served)
            throws IOException, MalformedDefinitionException {
        MethodName method =
                new MethodName(INTERFACE, "getServiceDefinition", STRING + STRING + STRING, version, application);
        Answer answer = read(connection.call(method, served.service(), served.version(), served.group()));
        if (answer.outcome != Outcome.OK) {
            throw new MalformedDefinitionException(answer.document);
        }
        return answer.isNull() ? null : DefinitionJson.parse(answer.document);
    }

    /**
     * Returns the exports of the application in a revision: JSON, Dubbo's {@code MetadataInfo}. Only Dubbo 3 has it.
     *
     * @return null if it has not this revision, or not any more
     * @throws RefusedException if the answer is a failure
     */
    String applicationMetadata(DiscoveryConnection connection, String revision) throws IOException {
        MethodName method = new MethodName(INTERFACE, "getMetadataInfo", STRING, version, application);
        Answer answer = read(connection.call(method, revision));
        if (answer.outcome != Outcome.OK) {
            throw new RefusedException(PrintableText.brief(answer.document));
        }
        return answer.isNull() ? null : answer.document;
    }

    /** The provider has answered with a failure, and the connection can be used again. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1;

        RefusedException(String message) {
            super(message);
        }
    }

    /** @param document of the value, or a problem document */
    private record Answer(Outcome outcome, String document) {
        boolean isNull() {
            return document.isEmpty() || document.equals("null");
        }
    }

    private static Answer read(ByteBuf frame) {
        ByteBuf body = Unpooled.buffer();
        Outcome outcome = new DubboResponseReader().read(frame, 0, ResultFormat.of(true, false, false), body);
        body.skipBytes(Short.BYTES + body.getUnsignedShort(0));
        return new Answer(outcome, body.toString(UTF_8));
    }
}
