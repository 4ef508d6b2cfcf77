package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.method.MethodCatalog;
import io.dubbomesh.client.request.RequestServer;
import io.dubbomesh.client.request.ResponseFrameWriter;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.definition.MethodDefinition;
import io.dubbomesh.protocol.definition.ServiceDefinition;
import io.dubbomesh.protocol.request.DubboRequest;
import io.dubbomesh.runtime.AgentRole;
import io.dubbomesh.transport.memory.MemoryBudget;
import io.dubbomesh.transport.metrics.CallMetrics;
import io.dubbomesh.transport.write.Turn;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import static org.assertj.core.api.Assertions.assertThat;

class AnswersTest {
    private static final MethodName DESCRIBE = new MethodName("a.B", MethodName.DESCRIBE, "", "", "");

    @Test
    void theDescriptionsOfATurnHoldNoMoreThanTheBudget() {
        MemoryBudget memory = new MemoryBudget(1 << 20);
        EmbeddedChannel loop = new EmbeddedChannel();
        // The turn does not end in this test, so the listeners are not called.
        Answers answers = new Answers(new Turn(loop.eventLoop()), memory, null, null, null, null);
        ResponseFrameWriter responses = new ResponseFrameWriter(answers, null, 8 << 20, AgentRole.CONSUMER);
        RequestServer server = new RequestServer(new Described(600), null, AgentRole.CONSUMER);
        for (int i = 1; i <= 1_000; i++) {
            server.describe(responses, i, DESCRIBE, null);
        }

        ByteBuf frames = answers.buffer(0);
        assertThat(frames.readableBytes()).isBetween(512 << 10, (1 << 20) + (512 << 10));
        assertThat(memory.used()).isBetween(512L << 10, (1L << 20) + (128 << 10));
        frames.release();
    }

    /** One service with so many methods. */
    private static final class Described implements MethodCatalog {
        private final ServiceDefinition service;

        Described(int methods) {
            service = new ServiceDefinition(
                    IntStream.range(0, methods)
                            .mapToObj(i -> new MethodDefinition("method" + i, List.of("java.lang.String"), "int"))
                            .toList(),
                    Map.of());
        }

        @Override
        public ServiceDefinition definition(MethodName name) {
            return service;
        }

        @Override
        public int revision() {
            throw new AssertionError();
        }

        @Override
        public MethodName resolve(MethodName name) {
            throw new AssertionError();
        }

        @Override
        public DubboRequest prepare(MethodName name) {
            throw new AssertionError();
        }

        @Override
        public CallMetrics metrics() {
            throw new AssertionError();
        }
    }
}
