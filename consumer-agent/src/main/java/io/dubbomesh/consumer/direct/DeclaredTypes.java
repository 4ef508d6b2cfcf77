package io.dubbomesh.consumer.direct;

import io.dubbomesh.client.discovery.ServedServices;
import io.dubbomesh.protocol.MethodName;
import io.dubbomesh.protocol.ServiceKey;
import io.dubbomesh.registry.DubboExport;
import io.dubbomesh.registry.address.EndpointId;
import io.dubbomesh.registry.address.EndpointProtocol;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Whether providers by Triple read arguments by the types that methods declare, which Dubbo 3.0 does not. Those that
 * register no release, as in a fixed list, are asked: once, and again with each new connection, since another release
 * may have been started at the same address; meanwhile the last answer counts.
 * <pre>
 *   not asked --a call--> awaited --the answer--> known --connected again--> known, and asked --the answer--> known
 * </pre>
 * Used by all event loops.
 */
final class DeclaredTypes {
    /** The most providers that are asked; the others are taken for later ones than Dubbo 3.0. */
    private static final int MAX_PROVIDERS = 10_000;

    private final Asker asker;
    private final Runnable changed;
    private final Map<EndpointId, Question> questions = new ConcurrentHashMap<>();

    private record Question(ServedServices service, boolean registersTls, CompletableFuture<Boolean> answer) {}

    /** Asks a provider that exports a service. */
    interface Asker {
        /**
         * @param registersTls whether the provider has registered that it is called with TLS
         * @return the answer, which comes after the time-out of questions at the latest, and is true if there is none
         */
        CompletableFuture<Boolean> ask(EndpointId provider, ServedServices service, boolean registersTls);
    }

    /** @param changed is run by any thread when a provider has answered */
    DeclaredTypes(Asker asker, Runnable changed) {
        this.asker = asker;
        this.changed = changed;
    }

    /** Returns whether the provider is being asked for the first time; it is if it was not yet. */
    boolean isAwaited(MethodName name, DubboExport export, EndpointId provider) {
        if (provider.protocol() != EndpointProtocol.TRIPLE || !DubboVersion.isUntold(export)) {
            return false;
        }
        Question question = questions.get(provider);
        if (question == null && questions.size() < MAX_PROVIDERS) {
            ServedServices service = ServiceTypes.served(new ServiceKey(name.service(), name.version(), name.group()));
            if (service != null) {
                boolean registersTls = export.registersTls();
                question = questions.computeIfAbsent(
                        provider,
                        asked -> new Question(service, registersTls, asker.ask(asked, service, registersTls)));
                question.answer.thenRun(changed);
            }
        }
        return question != null && !question.answer.isDone();
    }

    /** Returns false if the provider has said that it does not. */
    boolean areRead(EndpointId provider) {
        Question question = questions.get(provider);
        return question == null || question.answer.getNow(true);
    }

    /** Called when a connection to the provider is open again. */
    void connectedAgain(EndpointId provider) {
        Question before = questions.get(provider);
        if (before != null && before.answer.isDone()) {
            asker.ask(provider, before.service, before.registersTls).thenAccept(reads -> {
                CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(reads);
                Question now = new Question(before.service, before.registersTls, answer);
                if (questions.replace(provider, before, now)) {
                    changed.run();
                }
            });
        }
    }
}
