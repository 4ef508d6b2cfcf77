package io.dubbomesh.benchmark.ladder;

import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.Outcome;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Lets a worker thread wait for each answer, as synchronous code does. */
final class BlockingCallee implements Callee {
    private final Callee callee;
    private final Executor workers;

    private record Result(Outcome outcome, ByteBuf document) {}

    BlockingCallee(Callee callee, Executor workers) {
        this.callee = callee;
        this.workers = workers;
    }

    @Override
    public void call(MethodName name, ByteBuf in, int offset, int length, Answer answer) {
        ByteBuf arguments = in.retainedSlice(offset, length);
        workers.execute(() -> {
            Result result = result(name, arguments).join();
            answer.completed(result.outcome, result.document, 0, result.document.readableBytes());
        });
    }

    private CompletableFuture<Result> result(MethodName name, ByteBuf arguments) {
        CompletableFuture<Result> future = new CompletableFuture<>();
        try {
            callee.call(name, arguments, 0, arguments.readableBytes(), (outcome, in, offset, length) -> {
                ByteBuf document = Unpooled.buffer(length).writeBytes(in, offset, length);
                future.complete(new Result(outcome, document));
            });
        } finally {
            arguments.release();
        }
        return future;
    }
}
