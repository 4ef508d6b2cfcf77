package io.dubbomesh.meshctl.agent;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Several agents that are asked the same at once, so that one that cannot be reached delays no other. */
public final class Agents {
    private final List<AgentClient> agents;

    /**
     * The answer of one of them.
     *
     * @param value   null with a failure
     * @param failure a line for the operator; null without one
     */
    public record Answer<T>(URI agent, T value, String failure) {
        /** Returns the agent's host and port. */
        public String name() {
            return agent.getAuthority();
        }
    }

    public Agents(List<URI> admins) {
        agents = admins.stream().map(admin -> new AgentClient(admin, null)).toList();
    }

    /** Returns the answers in the order of the agents. */
    public <T> List<Answer<T>> ask(Function<AgentClient, T> question) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(agents.size());
        try {
            List<Callable<Answer<T>>> questions = new ArrayList<>();
            for (AgentClient agent : agents) {
                questions.add(() -> answer(agent, question));
            }
            List<Answer<T>> answers = new ArrayList<>();
            for (Future<Answer<T>> answer : threads.invokeAll(questions)) {
                answers.add(answer.get());
            }
            return answers;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdown();
        }
    }

    private static <T> Answer<T> answer(AgentClient agent, Function<AgentClient, T> question) {
        try {
            return new Answer<>(agent.admin(), question.apply(agent), null);
        } catch (MeshctlException e) {
            return new Answer<>(agent.admin(), null, e.getMessage());
        }
    }
}
